//! Each message has an example of what it refuses and one of what is right instead, which compiles.
