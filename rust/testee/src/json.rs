//! The part of JSON that the vectors need: parsing, and comparing texts whatever the order of their
//! members. The tests have no dependencies.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// The text of a number. The vectors have integers only.
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(members) => members.get(name).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }

    pub fn str(&self) -> &str {
        match self {
            Json::String(s) => s,
            _ => "",
        }
    }

    pub fn number(&self) -> u64 {
        match self {
            Json::Number(n) => n.parse().expect("a number of the vectors"),
            _ => 0,
        }
    }
}

pub fn parse(text: &str) -> Json {
    let mut p = Parser { text, at: 0 };
    let v = p.value();
    assert_eq!(p.space(), None, "more than one value: {text}");
    v
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn space(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    fn next(&mut self) -> char {
        let c = self.text[self.at..].chars().next().expect("more text");
        self.at += c.len_utf8();
        c
    }

    fn word(&mut self, word: &str, v: Json) -> Json {
        assert!(self.text[self.at..].starts_with(word));
        self.at += word.len();
        v
    }

    /// Reads items up to the closing bracket.
    fn items(&mut self, close: char, mut item: impl FnMut(&mut Self)) {
        self.next();
        if self.space() == Some(close) {
            self.next();
            return;
        }
        loop {
            item(self);
            self.space();
            match self.next() {
                ',' => {}
                c => return assert_eq!(c, close),
            }
        }
    }

    fn value(&mut self) -> Json {
        match self.space().expect("a value") {
            'n' => self.word("null", Json::Null),
            't' => self.word("true", Json::Bool(true)),
            'f' => self.word("false", Json::Bool(false)),
            '"' => Json::String(self.string()),
            '[' => {
                let mut list = Vec::new();
                self.items(']', |p| list.push(p.value()));
                Json::Array(list)
            }
            '{' => {
                let mut members = BTreeMap::new();
                self.items('}', |p| {
                    p.space();
                    let name = p.string();
                    assert_eq!(p.space(), Some(':'));
                    p.next();
                    members.insert(name, p.value());
                });
                Json::Object(members)
            }
            _ => {
                let rest = &self.text[self.at..];
                let n = rest
                    .find(|c| !matches!(c, '0'..='9' | '-'))
                    .unwrap_or(rest.len());
                self.at += n;
                Json::Number(rest[..n].into())
            }
        }
    }

    fn string(&mut self) -> String {
        assert_eq!(self.next(), '"');
        let mut units = Vec::new();
        loop {
            let c = match self.next() {
                '"' => return String::from_utf16(&units).expect("pairs of surrogates"),
                '\\' => match self.next() {
                    'u' => {
                        let hex = &self.text[self.at..self.at + 4];
                        self.at += 4;
                        units.push(u16::from_str_radix(hex, 16).expect("four digits"));
                        continue;
                    }
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'b' => '\x08',
                    'f' => '\x0c',
                    c => c,
                },
                c => c,
            };
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
        }
    }
}
