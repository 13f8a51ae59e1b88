//! A proxy of the environment would look names up itself, and void the check of addresses. The test runs itself again in
//! a process that has one.

use std::net::TcpListener;
use std::process::Command;

use toolgate_http::HttpContext;

use crate::support::{Names, Server, context, reply};

#[test]
fn u117_a_proxy_of_the_environment_is_not_used() {
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "proxy::in_a_process_with_a_proxy", "--ignored", "--nocapture"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        again.env(name, &address);
    }
    let output = again.env_remove("NO_PROXY").env_remove("no_proxy").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
    assert_eq!(proxy.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "nobody came to the proxy");
}

#[tokio::test]
#[ignore = "run by the test above, in a process of its own"]
async fn in_a_process_with_a_proxy() {
    assert!(std::env::var("HTTP_PROXY").is_ok());
    let server = Server::start(|_| reply(200, &[], "itself")).await;
    let context = context([server.rule("api.example.com")], &Names::here(&["api.example.com"]));
    let answer = context.http().get(&server.url("api.example.com", "/")).send().await.unwrap();
    assert_eq!(answer.text().unwrap(), "itself");
}
