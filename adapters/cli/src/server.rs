//! A database that is named by a URL instead of a file. The URL is never shown: it may hold a password.

use std::sync::Arc;

use toolgate_core::store::Store;

use crate::out::Failure;

/// Whether this names a database on a server.
pub(crate) fn is_url(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

/// Opens it with the key from the file that `TOOLGATE_KEY_FILE` names or else from `TOOLGATE_KEY`, in the schema
/// `TOOLGATE_SCHEMA`. Makes no tables and no key file.
#[cfg(feature = "postgres")]
pub(crate) fn open(url: &str, writes: bool) -> Result<Arc<dyn Store>, Failure> {
    use toolgate_postgres::{KeySource, PostgresOptions, PostgresStore};
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let key = match variable("TOOLGATE_KEY_FILE") {
        Some(path) => KeySource::File(path.into()),
        None => KeySource::Environment("TOOLGATE_KEY".to_owned()),
    };
    let mut options = PostgresOptions::new(key);
    if let Some(schema) = variable("TOOLGATE_SCHEMA") {
        options.schema = schema.to_string_lossy().into_owned();
    }
    let cannot = |error| Failure::Cannot(format!("the database of the URL can't be opened: {error}"));
    // It is there before anything is opened for writing.
    let store = PostgresStore::open_read_only(url, options.clone()).map_err(cannot)?;
    if !writes {
        return Ok(Arc::new(store));
    }
    drop(store);
    Ok(Arc::new(PostgresStore::open_blocking(url, options).map_err(cannot)?))
}

/// This build knows no server.
#[cfg(not(feature = "postgres"))]
pub(crate) fn open(_: &str, _: bool) -> Result<Arc<dyn Store>, Failure> {
    let text = "this build of the command knows no PostgreSQL; build it with the feature `postgres`";
    Err(Failure::Cannot(text.to_owned()))
}
