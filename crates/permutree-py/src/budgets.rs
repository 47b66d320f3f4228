use crate::errors::refused;
use permutree_zoo::{Budget, Clock, parse_duration, parse_playouts};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The longest time that may be asked for, in seconds: a year.
const LONGEST: f64 = 366.0 * 24.0 * 3600.0;

/// A time as Python gives it: seconds, or a text such as `20ms`.
#[derive(FromPyObject)]
pub(crate) enum Time {
    Seconds(f64),
    Text(String),
}

impl Time {
    fn duration(&self) -> PyResult<Duration> {
        match self {
            Self::Seconds(seconds) if *seconds > 0.0 && *seconds <= LONGEST => {
                Ok(Duration::from_secs_f64(*seconds))
            }
            Self::Seconds(seconds) => {
                Err(refused(format!("time={seconds}: must be seconds above 0, or a text such as '20ms'")))
            }
            Self::Text(text) => parse_duration(text).map_err(|why| refused(format!("time={text}: {why}"))),
        }
    }
}

/// What may be used for a move.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Limits {
    playouts: Option<i128>,
    time: Option<Time>,
    game_time: Option<Time>,
    wall: bool,
}

impl Limits {
    /// The budget, which ends when `stop` becomes true.
    pub(crate) fn budget(&self, stop: Arc<AtomicBool>) -> PyResult<Budget> {
        let playouts =
            |n: &i128| parse_playouts(&n.to_string()).map_err(|why| refused(format!("playouts={n}: {why}")));
        Ok(Budget {
            playouts: self.playouts.as_ref().map(playouts).transpose()?,
            time: self.time.as_ref().map(Time::duration).transpose()?,
            game_time: self.game_time.as_ref().map(Time::duration).transpose()?,
            clock: if self.wall { Clock::Wall } else { Clock::Thread },
            stop: Some(stop),
        })
    }
}
