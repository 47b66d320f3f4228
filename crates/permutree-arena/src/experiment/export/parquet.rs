use super::Sheet;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use serde_json::Value;
use std::io::{self, Write};
use std::sync::Arc;

/// A Parquet file with one row per game, written in row groups.
pub(super) struct Parquet {
    file: SerializedFileWriter<Vec<u8>>,
    /// The games that are not yet written.
    rows: Vec<Value>,
}

/// The rows of a group: enough for repeated texts to be stored once, and few enough to be buffered in memory.
const GROUP: usize = 4096;

/// The columns, in the order of the other formats.
const COLUMNS: [(&str, Kind, Shape); 15] = [
    ("game", Kind::Text, Shape::One),
    ("agents", Kind::Text, Shape::List),
    ("budget", Kind::Text, Shape::One),
    ("number", Kind::Whole, Shape::One),
    ("seed", Kind::Whole, Shape::One),
    ("seats", Kind::Text, Shape::List),
    ("rewards", Kind::Real, Shape::List),
    ("plies", Kind::Whole, Shape::One),
    ("playouts", Kind::Whole, Shape::List),
    ("time_s", Kind::Real, Shape::List),
    ("unfinished", Kind::Truth, Shape::One),
    ("forfeit", Kind::Text, Shape::Perhaps),
    ("why", Kind::Text, Shape::Perhaps),
    ("version", Kind::Text, Shape::One),
    ("moves", Kind::Text, Shape::List),
];

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Whole,
    Real,
    Truth,
}

#[derive(Clone, Copy)]
enum Shape {
    One,
    Perhaps,
    List,
}

impl Parquet {
    pub(super) fn new() -> io::Result<Self> {
        let columns = COLUMNS.iter().map(|&(name, kind, shape)| column(name, kind, shape));
        let columns = columns.collect::<Result<_, _>>().map_err(io::Error::other)?;
        let schema =
            Type::group_type_builder("game").with_fields(columns).build().map_err(io::Error::other)?;
        let file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default());
        Ok(Self { file: file.map_err(io::Error::other)?, rows: Vec::new() })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for (name, kind, shape) in COLUMNS {
            let Some(mut column) = group.next_column()? else { break };
            let cells = self.rows.iter().map(|row| &row[name]);
            match kind {
                Kind::Text => write::<ByteArrayType>(&mut column, shape, cells, |cell| {
                    ByteArray::from(cell.as_str().unwrap_or_default())
                }),
                Kind::Whole => {
                    write::<Int64Type>(&mut column, shape, cells, |cell| cell.as_i64().unwrap_or_default())
                }
                Kind::Real => {
                    write::<DoubleType>(&mut column, shape, cells, |cell| cell.as_f64().unwrap_or(f64::NAN))
                }
                Kind::Truth => {
                    write::<BoolType>(&mut column, shape, cells, |cell| *cell == Value::Bool(true))
                }
            }?;
            column.close()?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

impl Sheet for Parquet {
    fn add(&mut self, game: &Value, out: &mut dyn Write) -> io::Result<()> {
        self.rows.push(game.clone());
        if self.rows.len() < GROUP {
            return Ok(());
        }
        self.write_group().map_err(io::Error::other)?;
        self.file.flush()?;
        out.write_all(&std::mem::take(self.file.inner_mut()))
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.write_group().map_err(io::Error::other)?;
        }
        self.file.finish().map_err(io::Error::other)?;
        out.write_all(self.file.inner_mut())
    }
}

/// The type of a column. Lists have the three levels that the specification requires.
fn column(name: &str, kind: Kind, shape: Shape) -> Result<TypePtr, ParquetError> {
    let leaf = |name: &str, repetition: Repetition| {
        let (physical, logical) = match kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Whole => (Physical::INT64, None),
            Kind::Real => (Physical::DOUBLE, None),
            Kind::Truth => (Physical::BOOLEAN, None),
        };
        let leaf = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        leaf.with_logical_type(logical).build().map(Arc::new)
    };
    let group = |name: &str, repetition: Repetition, logical: Option<LogicalType>, field: TypePtr| {
        let group = Type::group_type_builder(name).with_repetition(repetition).with_fields(vec![field]);
        group.with_logical_type(logical).build().map(Arc::new)
    };
    match shape {
        Shape::One => leaf(name, Repetition::REQUIRED),
        Shape::Perhaps => leaf(name, Repetition::OPTIONAL),
        Shape::List => {
            let element = leaf("element", Repetition::REQUIRED)?;
            let list = group("list", Repetition::REPEATED, None, element)?;
            group(name, Repetition::REQUIRED, Some(LogicalType::List), list)
        }
    }
}

/// Writes a column with `value(cell)` for each cell, or for each element of a list.
///
/// A definition level says whether there is a value (0 for null and for an empty list), a repetition level whether it
/// continues the list of the value before.
fn write<'a, T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    shape: Shape,
    cells: impl Iterator<Item = &'a Value>,
    value: impl Fn(&Value) -> T::T,
) -> Result<(), ParquetError> {
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    for cell in cells {
        let elements = match cell {
            Value::Null => &[],
            Value::Array(elements) => &elements[..],
            one => std::slice::from_ref(one),
        };
        values.extend(elements.iter().map(&value));
        let levels = elements.len().max(1);
        defined.resize(defined.len() + levels, i16::from(!elements.is_empty()));
        repeated.extend((0..levels).map(|place| i16::from(place > 0)));
    }
    let defined = (!matches!(shape, Shape::One)).then_some(&defined[..]);
    let repeated = matches!(shape, Shape::List).then_some(&repeated[..]);
    column.typed::<T>().write_batch(&values, defined, repeated).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use serde_json::json;

    fn read(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Bool(truth) => json!(truth),
            Field::Long(whole) => json!(whole),
            Field::Double(real) => json!(real),
            Field::Str(text) => json!(text),
            Field::ListInternal(list) => list.elements().iter().map(read).collect(),
            other => panic!("{other}"),
        }
    }

    /// Several groups, with nulls and empty lists, are read as they were written.
    #[test]
    fn games_come_back() {
        let games: Vec<Value> = (0..2 * GROUP + 3)
            .map(|number| {
                let mut game = json!({
                    "game": "nim", "agents": ["uct", "grave"], "budget": "100 playouts", "number": number, "seed": number,
                    "seats": ["grave", "uct"], "rewards": [0.25, 0.75], "plies": 3, "playouts": [200, 100],
                    "time_s": [0.5, 1e-9], "unfinished": number % 2 == 0, "forfeit": null, "why": null,
                    "version": "0.1.0", "moves": ["1-2", "é", number.to_string()],
                });
                match number % 3 {
                    0 => game["moves"] = json!([]),
                    1 => game["why"] = json!("lost \"on time\""),
                    _ => {}
                }
                game
            })
            .collect();
        let (mut sheet, mut bytes) = (Parquet::new().unwrap(), Vec::new());
        games.iter().for_each(|game| sheet.add(game, &mut bytes).unwrap());
        assert!(!bytes.is_empty(), "whole groups do not wait for the end");
        sheet.finish(&mut bytes).unwrap();
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        assert_eq!(file.metadata().num_row_groups(), 3);
        let rows = file.get_row_iter(None).unwrap().map(|row| {
            Value::Object(
                row.unwrap().get_column_iter().map(|(name, field)| (name.clone(), read(field))).collect(),
            )
        });
        assert!(rows.eq(games));
    }

    #[test]
    fn no_games_are_a_file_too() {
        let mut bytes = Vec::new();
        Parquet::new().unwrap().finish(&mut bytes).unwrap();
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        assert_eq!(file.get_row_iter(None).unwrap().count(), 0);
    }
}
