//! Whether a file system is one of a single host. WAL needs memory that all who have the file open share,
//! and locks that hold: on a network share two hosts would each believe to be alone.

use std::path::Path;

use toolgate_core::store::{StoreError, StoreFault};

use crate::fault;

/// The kinds that are refused, by the number that the kernel gives them.
#[cfg(target_os = "linux")]
const SHARED: [(u32, &str); 14] = [
    (0x6969, "NFS"),
    (0xFF53_4D42, "CIFS"),
    (0xFE53_4D42, "SMB"),
    (0x517B, "SMB"),
    (0x6573_5546, "FUSE"),
    (0x0102_1997, "9P"),
    (0x5346_414F, "AFS"),
    (0x7375_7245, "Coda"),
    (0x00C3_6400, "Ceph"),
    (0x4750_4653, "GPFS"),
    (0x0BD0_0BD0, "Lustre"),
    (0x7461_636F, "OCFS2"),
    (0x0116_1970, "GFS2"),
    (0x786F_4256, "a folder of a virtual machine's host"),
];

/// Refuses a directory, or a file, on a file system that hosts share.
#[cfg(target_os = "linux")]
pub(crate) fn check(path: &Path) -> Result<(), StoreError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let about = [path, parent].into_iter().find_map(|place| rustix::fs::statfs(place).ok());
    about.map_or(Ok(()), |about| refuse(u32::try_from(about.f_type).unwrap_or(0)))
}

/// Other systems give no number that could be compared.
#[cfg(not(target_os = "linux"))]
pub(crate) fn check(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

#[cfg(target_os = "linux")]
fn refuse(kind: u32) -> Result<(), StoreError> {
    match SHARED.iter().find(|(number, _)| *number == kind) {
        Some((_, name)) => Err(fault::error(
            StoreFault::Io,
            format!(
                "the database stands on {name}, which hosts share; put it on a disk of this host, or use PostgreSQL"
            ),
        )),
        None => Ok(()),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn shared_file_systems_are_refused_by_name_and_local_ones_are_not() {
        for (kind, name) in SHARED {
            let error = refuse(kind).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
        for local in [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1] {
            assert!(refuse(local).is_ok(), "{local:x}");
        }
    }

    #[test]
    fn where_tests_run_is_a_disk_of_this_host() {
        check(&std::env::temp_dir().join("no such file")).unwrap();
        check(Path::new("gate.db")).unwrap();
    }
}
