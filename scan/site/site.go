// Package site finds the places of a code base that marshal or unmarshal, with the Go types behind them.
//
// A place is a call of a function that a Kind describes, or a call of a wrapper: a function of the
// program that passes a parameter of type any, or of a type parameter, on to such a call.
package site

import (
	"go/token"
	"go/types"
)

// Direction says what a site does with its value.
type Direction string

// Directions.
const (
	Marshal   Direction = "marshal"
	Unmarshal Direction = "unmarshal"
)

// Receiver is Kind.Value for a method whose receiver is the value: (*Order).MarshalJSON.
const Receiver = -1

// Kind describes one function that marshals or unmarshals a value. Kinds are data: see kinds.go.
type Kind struct {
	Codec     string // codec's name in the lab ("std-json"), or its package path if the lab has none
	Func      string // full name, as (*types.Func).FullName spells it: "(*encoding/json.Encoder).Encode"
	Direction Direction
	Value     int    // which argument is the value, without the receiver; Receiver for the receiver
	Result    bool   // the value is result number Value instead of an argument
	TypeArg   bool   // the value is a pointer to type argument number Value
	Format    string // "json", "protobuf", "msgpack", "gob", "cbor" …
	Stream    bool   // the function writes to an io.Writer, or reads from an io.Reader
}

// Value is one Go type that reaches a site.
type Value struct {
	Type types.Type // never an interface, if Name is not empty
	Name string     // as in source, with package paths: "*example.org/shop/order.Order"; "" if unknown
	// Via holds the positions from the call whose static type is Type to the site, outermost first. It
	// is empty if the site's own argument has the type.
	Via []Call
}

// Call is a position in the code base, and the function that contains it.
//
// A profile names a function literal otherwise if the function that contains it was inlined:
// "shop.serve.load.func1.func2" in place of "shop.load.func1". File and line are the same.
type Call struct {
	Pos  token.Position // Filename is relative to the module's folder, with slashes
	Func string         // as profiles name it: "example.org/shop/store.(*DB).Load.func1"
}

// Site is one call that marshals or unmarshals.
type Site struct {
	Kind    *Kind
	Call            // the call itself
	Package string  // import path
	Values  []Value // sorted by Name; empty if no type is known
	Open    string  // why there may be more types than Values, if that is known; "" if Values is empty
	Why     string  // why no type is known, if Values is empty: "argument has type any, from json.RawMessage"
	// Generated reports whether the call is in a generated file ("// Code generated … DO NOT EDIT.").
	Generated bool
	Test      bool // in a _test.go file
	// Deferred reports whether the call is a defer statement. Profiles show such a call at the line at
	// which the function returns.
	Deferred bool
}
