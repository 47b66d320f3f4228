//! The games put through the kit, one module each.

mod breakthrough;
mod kit;
mod knightthrough;
mod pig;
mod playouts;
mod racing;
mod tic_tac_toe;
mod tree;
mod wargame;
