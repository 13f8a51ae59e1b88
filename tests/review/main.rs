//! The review of a whole set of tools.
