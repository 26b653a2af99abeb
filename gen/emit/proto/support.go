package proto

// supportText has the fixed messages. They are copied into each schema that needs them, so that a
// schema needs no other file.
var supportText = map[string]string{
	"Timestamp": `// Timestamp is an instant: seconds since 1970-01-01T00:00:00Z and nanoseconds
// in [0, 999999999]. On the wire it equals google.protobuf.Timestamp.
message Timestamp {
  int64 seconds = 1;
  int32 nanos = 2;
}
`,
	"BigInt": `// BigInt is an integer of any size.
message BigInt {
  bool negative = 1;
  bytes magnitude = 2; // big-endian, no leading zero byte
}
`,
	"BigFloat": `// BigFloat is a binary floating-point number of any precision: for form FINITE
// it is 0.mantissa × 2^exponent, the mantissa being a big-endian binary fraction
// whose first bit is 1.
message BigFloat {
  enum Form {
    ZERO = 0;
    FINITE = 1;
    INFINITE = 2;
  }
  Form form = 1;
  bool negative = 2;
  uint32 precision = 3; // bits
  uint32 mode = 4;      // rounding: 0 nearest even, 1 nearest away, 2 to zero, 3 away from zero, 4 down, 5 up
  int32 accuracy = 5;   // of the last operation: -1 below, 0 exact, 1 above
  sint32 exponent = 6;
  bytes mantissa = 7;
}
`,
	"BigRat": `// BigRat is a fraction; no denominator means 1.
message BigRat {
  BigInt numerator = 1;
  BigInt denominator = 2;
}
`,
	"Complex": `// Complex is a complex number.
message Complex {
  double real = 1;
  double imag = 2;
}
`,
	"Value": `// Value is a value whose kind is known at run time only. No arm set is null, too.
message Value {
  oneof kind {
    bool null = 1;
    bool bool_value = 2;
    sint64 int_value = 3;
    uint64 uint_value = 4; // above the range of int64
    double double_value = 5;
    string string_value = 6;
    bytes bytes_value = 7;
    Timestamp time_value = 8;
    BigInt big_int = 9;
    BigFloat big_float = 10;
    bytes raw_json = 11;
    ListValue list_value = 12;
    MapValue map_value = 13;
    float float_value = 14;
    string number_value = 15;  // a JSON number kept as text
    int64 duration_value = 16; // nanoseconds
  }
}
`,
	"ListValue": `// ListValue is a list of values.
message ListValue {
  repeated Value items = 1;
}
`,
	"MapValue": `// MapValue is a map of values by string.
message MapValue {
  map<string, Value> entries = 1;
}
`,
}

var supportNeeds = map[string][]string{
	"BigRat": {"BigInt"},
	"Value":  {"Timestamp", "BigInt", "BigFloat", "ListValue", "MapValue"},
}
