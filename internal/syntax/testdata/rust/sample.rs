//! A small store.
use std::collections::HashMap;
use std::fmt::{self, Display};

const LIMIT: usize = 0x10;

#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    Text(&'a str),
    Number { value: i64, unit: Option<char> },
    Nothing,
}

pub trait Store {
    type Error;
    fn get(&self, key: &str) -> Result<i64, Self::Error>;
}

struct Memory<K> {
    items: HashMap<K, i64>,
}

impl Store for Memory<String> {
    type Error = fmt::Error;

    fn get(&self, key: &str) -> Result<i64, Self::Error> {
        self.items.get(key).copied().ok_or(fmt::Error)
    }
}

async fn total<T: Display>(all: &[T], scale: f32) -> f32 {
    let mut sum = 0.0;
    'outer: for (i, item) in all.iter().enumerate() {
        match item.to_string().as_str() {
            "" => continue 'outer,
            s if s.len() > LIMIT => break,
            other => sum += other.parse::<f32>().unwrap_or(1.5e3) * scale,
        }
        if i & 1 == 0 && sum > 10. {
            sum -= 1.0;
        }
    }
    unsafe {
        let p = &mut sum as *mut f32;
        *p += 1.0;
    }
    sum
}

fn main() {
    let double = |x: i64| -> i64 { x * 2 };
    let raw = r#"a "raw" text"#;
    println!("{} {raw:?}", double(21));
}
