//! The games put through the kit, one module each.

mod agree;
mod atarigo;
mod connect4;
mod gomoku;
mod hex;
mod kit;
mod nogo;
mod stones;
mod tic_tac_toe;
