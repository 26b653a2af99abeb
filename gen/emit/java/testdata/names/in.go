// Package names has what is called otherwise in Java.
package names

import "time"

// Match has fields with the names of keywords, and others that would clash.
//
// Its comment has what a comment of Java cannot: */, <b>, &amp;, {@link}, \u0000.
type Match struct {
	Class     string              `zmy:"0"` // a keyword
	Default   int32               `zmy:"1"`
	URL       string              `zmy:"2"`
	Url       string              `zmy:"3"`
	HashCode  []byte              `zmy:"4"` // a method of Object
	Builder   string              `zmy:"5"` // a method of records
	List      List                `zmy:"6"` // a class of java.util
	Lists     []List              `zmy:"7"`
	String    String              `zmy:"8"` // a class of java.lang
	Instant   Instant             `zmy:"9"`
	At        time.Time           `zmy:"10"`
	Slots     Slots               `zmy:"11"` // a class of the library
	D         bool                `zmy:"12"` // a variable of codecs
	From      int64               `zmy:"13"`
	E0        string              `zmy:"14"` // likewise
	F         uint8               `zmy:"15"`
	Error     string              `zmy:"16"` // a method of views
	Record    string              `zmy:"17"`
	Items     []string            `zmy:"18"`
	ItemsSize uint16              `zmy:"19"` // what a view calls the count of Items
	A_b       uint32              `zmy:"20"`
	X2        map[string][]Slots  `zmy:"21"`
	Sets      map[string]struct{} `zmy:"22"`
	Unnamed   struct {
		Inner int16 `zmy:"0"`
	} `zmy:"23"`
	Codes []Code `zmy:"24"`
	Other string `zmy:"25"`
	This  string `zmy:"26"`
	That  string `zmy:"27"`

	Nullable *Nullable `zmy:"28"` // an annotation
	Org      *string   `zmy:"29"` // its package
	Raw      []byte    `zmy:"30,nilable"`
	Nulls    []*string `zmy:"31"`
	Spare    []string  `zmy:"32,nilable"`
}

// Nullable is not that of JSpecify.
type Nullable struct {
	Null *bool `zmy:"0"`
}

// List is not that of Java.
type List struct {
	Head  string `zmy:"0"`
	Depth uint64 `zmy:"1"`
}

// String is not that of Java.
type String struct {
	Vec []string `zmy:"0"`
}

// Instant is not that of Java.
type Instant struct {
	Nanos int64 `zmy:"0"`
}

// Slots is not that of the library.
type Slots struct {
	N int32 `zmy:"0"`
}

// Code is a number with names.
type Code uint16

// The codes.
const (
	CodeOK       Code = 200
	CodeNotFound Code = 404
)

// Old has a field that is not to be used.
//
//zmy:reserved 1 int32
type Old struct {
	Name string `zmy:"0,deprecated"`
	Full string `zmy:"2"`
	Code Code   `zmy:"3"`
}
