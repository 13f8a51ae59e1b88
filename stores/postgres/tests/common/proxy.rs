//! A TCP proxy that cuts a connection when it sees its client's COMMIT: before the server gets it, or after the
//! server has answered, so that the client can't tell.

#![expect(unreachable_pub, clippy::unwrap_used, reason = "part of a test")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// When it cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The server never sees the COMMIT.
    Before,
    /// The server has committed, and its answer is kept back.
    After,
}

/// How many connections are still to be cut, and which were.
#[derive(Debug, Clone, Default)]
pub struct Cuts {
    left: Arc<AtomicU32>,
    done: Arc<AtomicU32>,
}

impl Cuts {
    /// Cuts at the next `count` COMMITs.
    pub fn arm(&self, count: u32) {
        self.left.store(count, Ordering::SeqCst);
    }

    /// How many were cut.
    pub fn done(&self) -> u32 {
        self.done.load(Ordering::SeqCst)
    }

    fn take(&self) -> bool {
        let took = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        if took {
            self.done.fetch_add(1, Ordering::SeqCst);
        }
        took
    }
}

/// Starts a proxy before the server at this port, and gives its own.
pub async fn start(server: u16, cut: Cut) -> (SocketAddr, Cuts) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let cuts = Cuts::default();
    let shared = cuts.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let cuts = shared.clone();
            tokio::spawn(async move {
                if let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await {
                    carry(client, server, cut, cuts).await;
                }
            });
        }
    });
    (address, cuts)
}

/// Carries bytes both ways until an end closes or the cut is made.
async fn carry(client: TcpStream, server: TcpStream, cut: Cut, cuts: Cuts) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let (mut asked, mut told) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            read = from_client.read(&mut asked) => {
                let Ok(size @ 1..) = read else { return };
                let bytes = &asked[..size];
                // A simple query: `Q`, its length, the text, NUL.
                let commit = bytes.windows(12).position(|part| part == b"Q\0\0\0\x0bCOMMIT\0");
                let Some(place) = commit.filter(|_| cuts.take()) else {
                    if to_server.write_all(bytes).await.is_err() { return }
                    continue;
                };
                if cut == Cut::Before {
                    let _ = to_server.write_all(&bytes[..place]).await;
                } else {
                    let _ = to_server.write_all(bytes).await;
                    // The command tag of its answer.
                    let mut seen: Vec<u8> = Vec::new();
                    while !seen.windows(7).any(|part| part == b"COMMIT\0") {
                        let Ok(size @ 1..) = from_server.read(&mut told).await else { return };
                        seen.extend_from_slice(&told[..size]);
                    }
                }
                return;
            }
            read = from_server.read(&mut told) => {
                let Ok(size @ 1..) = read else { return };
                if to_client.write_all(&told[..size]).await.is_err() { return }
            }
        }
    }
}
