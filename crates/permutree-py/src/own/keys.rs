use permutree_zoo::Hasher;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};

/// A hash of a value that is the same in every process, as Python's own is not: of numbers, texts, bytes, tuples, lists,
/// sets, dictionaries, enumerations, dataclasses, arrays, and whatever has a hash of its own. Values that are equal have
/// one hash.
pub(super) fn key(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(hashed(Hasher::new(), value, 0)?.finish())
}

/// Deeper than any state is on purpose.
const DEEPEST: usize = 100;

fn hashed(hasher: Hasher, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Hasher> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("a value that contains itself"));
    }
    let each = |hasher: Hasher, kind: u64, items: &mut dyn Iterator<Item = Bound<'_, PyAny>>| {
        let mut hasher = hasher.word(kind);
        for item in items {
            hasher = hashed(hasher, &item, depth + 1)?;
        }
        Ok(hasher.word(END))
    };
    // Sets and dictionaries have no order: the hashes of their items are added up.
    let sum = |hasher: Hasher, kind: u64, items: &mut dyn Iterator<Item = Bound<'_, PyAny>>| {
        let mut total = 0u64;
        for item in items {
            total = total.wrapping_add(hashed(Hasher::new(), &item, depth + 1)?.finish());
        }
        Ok(hasher.word(kind).word(total))
    };
    if value.is_none() {
        return Ok(hasher.word(NONE));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(hasher.word(TEXT).bytes(text.to_cow()?.as_bytes()).word(text.len()? as u64));
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return each(hasher, LIST, &mut tuple.iter());
    }
    // Equal numbers of several kinds have one hash, as True == 1 == 1.0.
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyInt>() {
        return match value.extract::<i64>() {
            Ok(number) => Ok(hasher.word(NUMBER).word(number as u64)),
            Err(_) => Ok(hasher.word(NUMBER).bytes(value.str()?.to_cow()?.as_bytes())),
        };
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let number = number.value();
        let whole = number as i64;
        let same = whole as f64 == number && number.abs() < 9e15;
        return Ok(hasher.word(NUMBER).word(if same { whole as u64 } else { number.to_bits() }));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return each(hasher, LIST, &mut list.iter());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(hasher.word(BYTES).bytes(bytes.as_bytes()).word(bytes.as_bytes().len() as u64));
    }
    if let Ok(set) = value.cast::<PyFrozenSet>() {
        return sum(hasher, SET, &mut set.iter());
    }
    if let Ok(set) = value.cast::<PySet>() {
        return sum(hasher, SET, &mut set.iter());
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return sum(hasher, DICT, &mut dict.items().iter());
    }
    object(hasher, value, depth)
}

/// The hash of anything else, by what it says of itself.
fn object(hasher: Hasher, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Hasher> {
    let py = value.py();
    let class = value.get_type();
    let named = hasher.word(OBJECT).bytes(class.name()?.to_cow()?.as_bytes());
    if let Ok(fields) = class.getattr("__dataclass_fields__") {
        let mut hasher = named;
        for name in fields.cast::<PyDict>()?.keys() {
            hasher = hashed(hasher, &value.getattr(name.cast::<PyString>()?)?, depth + 1)?;
        }
        return Ok(hasher);
    }
    if value.is_instance(&py.import("enum")?.getattr("Enum")?)? {
        return hashed(named, &value.getattr("value")?, depth + 1);
    }
    if value.hasattr("tobytes")? {
        let shape = value.getattr("shape").unwrap_or_else(|_| py.None().into_bound(py));
        return hashed(hashed(named, &shape, depth + 1)?, &value.call_method0("tobytes")?, depth + 1);
    }
    let plain = py.get_type::<PyAny>().getattr("__hash__")?;
    let own = class.getattr("__hash__")?;
    if own.is_none() || own.is(&plain) {
        let text = format!("{} cannot be hashed by its value; define the method key", class.name()?);
        return Err(PyTypeError::new_err(text));
    }
    Ok(named.word(value.hash()? as u64))
}

// What kinds of values begin with, so that 1 and "1" differ.
const NONE: u64 = 1;
const NUMBER: u64 = 2;
const TEXT: u64 = 3;
const BYTES: u64 = 4;
const LIST: u64 = 5;
const SET: u64 = 6;
const DICT: u64 = 7;
const OBJECT: u64 = 8;
const END: u64 = 9;
