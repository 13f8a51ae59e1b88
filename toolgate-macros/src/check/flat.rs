//! Which arguments the options of a tool name whose arguments are the fields of one struct: the expansion has
//! the compiler look them up. Not the look-up, which is in `toolgate_core::spec::flat`.

use syn::LitStr;

use super::precondition::argument_names;
use crate::model::{Named, NamedBy};
use crate::syntax::{RawKey, RawOptions};
use crate::template;

/// All names, each where it is written. What can't be read is told elsewhere.
pub(super) fn named(options: &RawOptions) -> Vec<Named> {
    let mut all = Vec::new();
    let mut add = |by: NamedBy, names: Vec<String>, place: &LitStr| {
        all.extend(names.into_iter().map(|name| Named { by, name, place: place.span() }));
    };
    if let Some(confirm) = &options.confirm {
        add(NamedBy::Confirm, template::placeholders(&confirm.value.value()).unwrap_or_default(), &confirm.value);
    }
    if let Some(RawKey::Named(names)) = options.key.as_ref().map(|key| &key.value) {
        names.iter().for_each(|name| add(NamedBy::Key, vec![name.value()], name));
    }
    for when in options.preconditions.iter().filter_map(|raw| raw.when.as_ref()) {
        add(NamedBy::Precondition, argument_names(&when.value()), when);
    }
    all
}
