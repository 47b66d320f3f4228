//! The games put through the kit, one module each.

mod atarigo;
mod breakthrough;
mod connect4;
mod gomoku;
mod hex;
mod investment;
mod kit;
mod knightthrough;
mod lockstep;
mod nim;
mod nogo;
mod order_and_chaos;
mod pig;
mod playouts;
mod racing;
mod same_game;
mod skirmish_arena;
mod stones;
mod tic_tac_chess;
mod tic_tac_mo;
mod tic_tac_toe;
mod tree;
mod tsp;
mod ultimate_tic_tac_toe;
mod wargame;
