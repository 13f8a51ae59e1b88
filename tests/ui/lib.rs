//! Holds the UI tests of the macros: malformed tools with what the compiler says, one mistake per file, and
//! well-formed ones that compile. There is no code here; a package of its own keeps the dependencies
//! that trybuild copies few.
