package fxproto

// Any is google.protobuf.Any: a message of any type. Marshal the message for Value, and unmarshal Value into
// the type that TypeURL names, which ends in the full name of the message: "type.googleapis.com/shop.Order".
type Any struct {
	TypeURL string `proto:"1"`
	Value   []byte `proto:"2"`
}
