//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`].

pub mod atarigo;
pub mod bits;
<<<<<<< HEAD
pub mod hex;
pub mod tic_tac_toe;

pub use hex::Hex;
=======
pub mod candidates;
pub mod groups;
pub mod nogo;
pub mod tic_tac_toe;

pub use atarigo::Atarigo;
pub use nogo::Nogo;
>>>>>>> helper-a
pub use tic_tac_toe::TicTacToe;
