// Package names has what is called otherwise in Rust.
package names

// Match has fields with the names of keywords, and others that would clash.
type Match struct {
	Type     string                                               `zmy:"0"` // a keyword
	Self     int32                                                `zmy:"1"`
	URL      string                                               `zmy:"2"`
	Url      string                                               `zmy:"3"`
	AsBytes  []byte                                               `zmy:"4"` // a method of views
	Option   Option                                               `zmy:"5"` // a type of the prelude
	String   String                                               `zmy:"6"`
	HTTPCode Code                                                 `zmy:"7"`
	D        bool                                                 `zmy:"8"`
	Left     int64                                                `zmy:"9"`
	Table    [40]float64                                          `zmy:"10"` // longer than Default goes
	Nested   map[string]map[string]map[string]map[string][]Option `zmy:"11"`
	A_b      uint8                                                `zmy:"12"`
}

// Option is not Rust's.
type Option struct {
	None bool `zmy:"0"`
}

// String is not Rust's.
type String struct {
	Vec []string `zmy:"0"`
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
}
