//! Who looks names up. Not what becomes of the answer: every address is checked before one is connected.

use std::fmt::Debug;
use std::io;
use std::net::IpAddr;

use toolgate_core::tool::BoxFuture;

/// The addresses of a name, or why there are none.
pub type Lookup<'a> = BoxFuture<'a, io::Result<Vec<IpAddr>>>;

/// Looks names up. It is asked once for each request and each redirect.
pub trait Resolver: Send + Sync + Debug {
    /// All addresses of a name, which is in lower case and without a final dot.
    fn lookup<'a>(&'a self, name: &'a str) -> Lookup<'a>;
}

/// Asks the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn lookup<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}
