//! The execution boundary for agent tools.
