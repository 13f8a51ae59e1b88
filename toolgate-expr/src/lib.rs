//! Part of toolgate.
