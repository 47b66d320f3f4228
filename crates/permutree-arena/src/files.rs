//! Files of learned values.

use crate::ArenaError;
use permutree_zoo::{Agent, Learned};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The agent of a spec, with its learned values loaded from their file.
pub fn agent(spec: &str) -> Result<Agent, ArenaError> {
    let agent = permutree_zoo::agent(spec)?;
    let Some(file) = agent.values_file() else { return Ok(agent) };
    let path = Path::new(file);
    let bytes = read(path).map_err(|why| refusal(path, why))?;
    let learned = Learned::read(&bytes).map_err(|why| refusal(path, why))?;
    Ok(agent.with_values(learned))
}

/// The agent of a spec that comes from an untrusted source: agents that read files or start programs are refused.
pub fn closed_agent(spec: &str) -> Result<Agent, ArenaError> {
    let agent = permutree_zoo::agent(spec)?;
    if agent.external().is_some() || agent.values_file().is_some() {
        return Err(ArenaError::Closed { agent: agent.spec().to_string() });
    }
    Ok(agent)
}

/// The bytes of a file, or enough of them to see that it has another format or is too long.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let (file, mut bytes) = (File::open(path)?, Vec::new());
    (&file).take(Learned::MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == Learned::MAGIC {
        file.take(Learned::MOST_BYTES as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn refusal(path: &Path, why: impl Display) -> ArenaError {
    ArenaError::File { path: path.display().to_string(), line: None, why: why.to_string() }
}

/// A file that is written as a whole or not at all: to a temporary file beside its path, which is then renamed.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    beside: PathBuf,
    file: File,
}

impl Output {
    /// Creates the temporary file beside `path`, so that a path that cannot be written fails at once. A file at `path`
    /// is kept until [`Output::finish`].
    pub fn new(path: &Path) -> Result<Self, ArenaError> {
        let name = path.file_name().ok_or_else(|| refusal(path, "it is not a file name"))?;
        if path.is_dir() {
            return Err(refusal(path, "it is a directory"));
        }
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}", std::process::id()));
        let beside = path.with_file_name(hidden);
        let file = File::create(&beside).map_err(|why| refusal(path, why))?;
        Ok(Self { path: path.to_path_buf(), beside, file })
    }

    /// Writes these bytes and moves the file to its path.
    pub fn finish(mut self, bytes: &[u8]) -> Result<(), ArenaError> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_all());
        written.and_then(|()| fs::rename(&self.beside, &self.path)).map_err(|why| refusal(&self.path, why))
    }
}

impl Drop for Output {
    /// Removes an unfinished file.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.beside);
    }
}
