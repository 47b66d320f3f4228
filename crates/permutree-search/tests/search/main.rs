//! Searches of small games whose answers are known, and of explicit trees.

mod games;
mod golden;
mod kit;
mod naive;
mod playouts;
mod running;
mod solved;
mod values;
