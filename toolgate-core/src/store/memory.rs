//! The store in memory.
#[derive(Debug)] pub struct MemoryStore;
