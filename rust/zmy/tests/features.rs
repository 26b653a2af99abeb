//! The optional features: serde and zerocopy.

#[path = "golden/result.rs"]
mod result;

#[path = "golden/derived.rs"]
mod derived;

use derived::{Actor, Cast, Dynamic, Human, Keep1, Robot};
use zmy::{BigFloat, BigInt, Decimal, Encode, Map, Time, UnknownArm, Value};

#[test]
fn values_as_json() {
    let list = vec![
        Value::Null,
        Value::Int(-7),
        Value::Time(Time::UNIX_EPOCH),
        Value::BigInt(BigInt::from(
            -170_141_183_460_469_231_731_687_303_715_884_105_728i128,
        )),
        Value::BigFloat(BigFloat::try_from(0.1).unwrap()),
        Value::Decimal(Decimal {
            scale: 2,
            unscaled: 350i64.into(),
        }),
        Value::StringMap(Map::from([
            ("b".into(), "2".into()),
            ("a".into(), "1".into()),
        ])),
    ];
    let text = serde_json::to_string(&list).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Value>>(&text).unwrap(), list);
}

#[test]
fn what_is_read_is_in_order() {
    let map: Map<String, i32> = serde_json::from_str(r#"{"b":2,"a":1,"b":3}"#).unwrap();
    assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"a":1,"b":3}"#);
    let zero: BigInt = serde_json::from_str("[true,[0,0]]").unwrap();
    assert_eq!(zero, BigInt::default());
    assert!(serde_json::from_str::<BigFloat>("[53,8,0,[1]]").is_err());
}

#[test]
fn numbers_in_place() {
    let data: Vec<f64> = (0..100).map(f64::from).collect();
    let b = result::Result {
        id: 1,
        data: data.clone(),
        timestamp: 2,
    }
    .encode()
    .unwrap();
    let view = zmy::view::<result::Result>(&b).unwrap();
    let slice: &[zerocopy::little_endian::F64] = view.data().as_slice();
    assert!(slice.iter().map(|x| x.get()).eq(data));
}

#[test]
fn generated_types_as_json() {
    let cast = Cast {
        lead: Some(Actor::Human(Box::new(Human {
            name: "Ann".into(),
            enemy: Some(Actor::from(Robot { serial: 7 })),
        }))),
        actors: vec![
            None,
            Some(Actor::Unknown(UnknownArm {
                number: 9,
                slot: vec![1, 2],
            })),
        ],
    };
    let text = serde_json::to_string(&cast).unwrap();
    assert_eq!(
        text,
        r#"{"lead":{"Human":{"name":"Ann","enemy":{"Robot":{"serial":7}}}},"actors":[null,{"Unknown":{"number":9,"slot":[1,2]}}]}"#
    );
    assert_eq!(serde_json::from_str::<Cast>(&text).unwrap(), cast);
    assert_eq!(
        serde_json::from_str::<Dynamic>("{}").unwrap(),
        Dynamic::default()
    );
    let text = serde_json::to_string(&Keep1::default()).unwrap();
    assert!(!text.contains("unknown"), "{text}");
}
