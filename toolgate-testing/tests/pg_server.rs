//! The server that other tests rest on: it starts, keeps what was committed, and goes away.

use toolgate_testing::PgServer;

#[test]
fn committed_rows_outlive_a_stop_and_a_crash_and_the_folder_goes_with_the_server() {
    let Some(mut server) = PgServer::start() else { return };
    server.create_database("kept").unwrap();
    server.psql("kept", "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)").unwrap();
    server.stop().unwrap();
    assert!(server.psql("kept", "SELECT 1").is_err());
    server.start_again().unwrap();
    server.psql("kept", "INSERT INTO t VALUES (2)").unwrap();
    server.crash().unwrap();
    server.start_again().unwrap();
    assert_eq!(server.psql("kept", "SELECT n FROM t ORDER BY n").unwrap(), "1\n2");
    let folder = server.folder().to_owned();
    drop(server);
    assert!(!folder.exists());
}
