//! The games put through the kit, one module each.

mod connect4;
mod kit;
mod tic_tac_toe;
