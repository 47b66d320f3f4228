//! The games put through the kit, one module each.

mod atarigo;
mod hex;
mod kit;
mod nogo;
mod stones;
mod tic_tac_toe;
