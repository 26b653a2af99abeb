// Package jsontypes holds types of every kind that fxjson generates code for, and that code. The
// tests of package fxjson compare it with encoding/json. The generated file is refreshed by
//
//	go test ./emit/gojson -update
//
// in the module gen.
package jsontypes

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strings"
	"time"
)

// Session is a record of a user's session.
type Session struct {
	ID          uint64         `json:"id,string"`
	SessionID   string         `json:"session_id"`
	UserName    string         `json:"user_name"`
	IPAddress   string         `json:"ip_address"`
	UserAgent   string         `json:"user_agent"`
	Active      bool           `json:"active"`
	LoginCount  int            `json:"login_count"`
	Balance     float64        `json:"balance"`
	CreatedAt   time.Time      `json:"created_at"`
	Permissions []int          `json:"permissions"`
	Profile     Profile        `json:"profile"`
	Metadata    map[string]any `json:"metadata"`
}

// Profile is a part of a Session.
type Profile struct {
	FirstName string  `json:"first_name"`
	LastName  string  `json:"last_name"`
	Age       int     `json:"age"`
	Email     string  `json:"email"`
	Bio       string  `json:"bio,omitempty"`
	Verified  bool    `json:"verified"`
	Score     float64 `json:"score"`
}

// SSEEvent is a server-sent event.
type SSEEvent struct {
	ID     string            `json:"id"`
	Event  string            `json:"event"`
	Data   string            `json:"data"`
	Replay bool              `json:"replay"`
	Meta   map[string]string `json:"meta,omitempty"`
}

// Result is a row of numbers.
type Result struct {
	ID        uint64    `json:"id"`
	Data      []float64 `json:"data"`
	Timestamp int64     `json:"timestamp"`
}

// Scalars has a field of each scalar kind, and named ones.
type Scalars struct {
	Bool    bool
	Int     int
	Int8    int8
	Int16   int16
	Int32   int32
	Int64   int64
	Uint    uint
	Uint8   uint8
	Uint16  uint16
	Uint32  uint32
	Uint64  uint64
	Uintptr uintptr
	Float32 float32
	Float64 float64
	String  string
	Time    time.Time
	Dur     time.Duration
	Number  json.Number
	Status  Status
	Title   Title
	Flag    Flag
	Ratio   Ratio
}

// Named scalars.
type (
	Status int32
	Title  string
	Flag   bool
	Ratio  float32
)

// Composites has arrays, slices, maps and pointers of all sorts.
type Composites struct {
	Ints       []int
	Bytes      []byte
	NamedBytes Blob
	ByteArray  [4]byte
	Octets     []Octet
	Meters     Meters
	Floats     []float64
	Float32s   []float32
	Strings    []string
	Titles     []Title
	Times      []time.Time
	Matrix     [][]float64
	Cube       [2][2]int
	Points     []Point
	PointPtrs  []*Point
	PointPtr   *Point
	PtrPtr     **int
	StringPtr  *string
	Array      [3]Point
	ByName     map[string]Point
	ByNamePtr  map[string]*Point
	ByTitle    map[Title]string
	ByInt      map[int]string
	ByInt8     map[int8]bool
	ByUint     map[uint16][]int
	ByText     map[Color]int
	ByAddr     map[netip.Addr]string
	Nested     map[string]map[string][]int
	Anon       struct {
		X, Y int
		Tags []string `json:"tags"`
	}
	AnonSlice []struct {
		K string `json:"k"`
		V any    `json:"v"`
	}
}

// Octet and Meters have elements and slices with names.
type (
	Octet  byte
	Meter  float64
	Meters []Meter
)

// Blob is bytes with a name.
type Blob []byte

// Point is a small struct.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y,omitempty"`
}

// Color marshals as text, also as the key of a map.
type Color int

// MarshalText spells the color.
func (c Color) MarshalText() ([]byte, error) {
	if c < 0 {
		return nil, errors.New("no such color")
	}
	return fmt.Appendf(nil, "c<%d>", int(c)), nil
}

// UnmarshalText reads what MarshalText spells.
func (c *Color) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "c<%d>", (*int)(c))
	return err
}

// Dynamic has values whose types are known at run time only.
type Dynamic struct {
	Any    any
	Anys   []any
	Map    map[string]any
	Named  map[Title]any
	Raw    json.RawMessage
	RawPtr *json.RawMessage
	Iface  fmt.Stringer
	Ptr    *any
}

// Methods has types that marshal themselves.
type Methods struct {
	Money     Money
	MoneyPtr  *Money
	Upper     Upper
	UpperPtr  *Upper
	ByPtr     ByPointer
	ByPtrMap  map[string]ByPointer
	ByPtrs    []ByPointer
	Color     Color
	Colors    []Color
	BigInt    *big.Int
	BigFloat  *big.Float
	BigVal    big.Int
	IP        netip.Addr
	TextSlice TextSlice
}

// Money marshals as an object with white space, and unmarshals itself.
type Money struct{ Cents int64 }

// MarshalJSON writes an object.
func (m Money) MarshalJSON() ([]byte, error) {
	if m.Cents == 13 {
		return nil, errors.New("unlucky")
	}
	if m.Cents == 14 {
		return []byte(`{"cents":`), nil
	}
	return fmt.Appendf(nil, ` { "cents" : %d , "html" : "<&>" } `, m.Cents), nil
}

// UnmarshalJSON reads an object, or keeps what it has on null.
func (m *Money) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		m.Cents = -1
		return nil
	}
	var x struct{ Cents int64 }
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	m.Cents = x.Cents
	return nil
}

// Upper is text in capitals.
type Upper string

// MarshalText writes capitals.
func (u Upper) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(u))), nil }

// UnmarshalText reads capitals.
func (u *Upper) UnmarshalText(b []byte) error {
	if string(b) == "bad" {
		return errors.New("bad text")
	}
	*u = Upper(strings.ToLower(string(b)))
	return nil
}

// ByPointer has a method that encoding/json calls on addressable values only.
type ByPointer struct{ N int }

// MarshalJSON has a pointer receiver.
func (p *ByPointer) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"p%d"`, p.N), nil }

// TextSlice is a slice that is text.
type TextSlice []string

// MarshalText joins.
func (t TextSlice) MarshalText() ([]byte, error) { return []byte(strings.Join(t, " ")), nil }

// UnmarshalText splits.
func (t *TextSlice) UnmarshalText(b []byte) error {
	*t = strings.Fields(string(b))
	return nil
}

// Options has all options of struct tags.
type Options struct {
	A       string         `json:"a,omitempty"`
	B       int            `json:",omitempty"`
	C       []int          `json:"c,omitempty"`
	D       map[string]int `json:"d,omitempty"`
	E       *int           `json:"e,omitempty"`
	F       Point          `json:"f,omitempty"`
	G       any            `json:"g,omitempty"`
	H       [0]int         `json:"h,omitempty"`
	I       float64        `json:"i,omitempty"`
	J       bool           `json:"j,omitempty"`
	K       time.Time      `json:"k,omitzero"`
	L       Point          `json:"l,omitzero"`
	M       []int          `json:"m,omitzero"`
	N       float64        `json:"n,omitzero"`
	O       Zeroer         `json:"o,omitzero"`
	P       *Zeroer        `json:"p,omitzero"`
	Q       int            `json:"q,string"`
	R       string         `json:"r,string"`
	S       bool           `json:"s,string"`
	T       float64        `json:"t,string"`
	U       *int64         `json:"u,string"`
	V       *string        `json:"v,string,omitempty"`
	W       json.Number    `json:"w,string"`
	X       uint8          `json:"x,string"`
	Skipped int            `json:"-"`
	Dash    int            `json:"-,"`
	HTML    int            `json:"a<b>&c"`
	Long    int            `json:"a_key_that_is_longer_than_two_words_of_sixteen_bytes"`
	Unicode int            `json:"größe"`
	hidden  int
}

// Zeroer has a method that says whether it is zero.
type Zeroer struct{ N int }

// IsZero is true for odd numbers.
func (z Zeroer) IsZero() bool { return z.N%2 == 1 }

// AllOptional may be empty altogether.
type AllOptional struct {
	A string `json:"a,omitempty"`
	B *Point `json:"b,omitempty"`
}

// Empty has no fields.
type Empty struct{}

// Base, Deep, Other and inner are embedded.
type Base struct {
	ID   int `json:"id"`
	Name string
	Deep
}

// Deep is embedded in Base.
type Deep struct {
	Level int
	Name  string // hidden by Base.Name
}

// Other is embedded by pointer.
type Other struct {
	Note  string
	Level int // no conflict: Deep.Level is deeper
	*Far
}

// Far is embedded by pointer in Other, which Embedded embeds by pointer.
type Far struct{ Away int }

type inner struct{ Secret string }

type closed struct{ Locked int }

// Embedded has promoted fields.
type Embedded struct {
	Base
	*Other
	inner
	*closed
	Title `json:"title"`
	Own   int
}

// Folded has names that case folding changes. Two of them become equal.
type Folded struct {
	Key    int `json:"key"`
	KEY    int `json:"KEY"`
	Kelvin int `json:"kelvin"`
	Scharf int `json:"ſtraſſe"`
}

// Node is recursive.
type Node struct {
	Value    int              `json:"value"`
	Next     *Node            `json:"next,omitempty"`
	Children []Node           `json:"children,omitempty"`
	Named    map[string]*Node `json:"named,omitempty"`
	Any      any              `json:"any,omitempty"`
}

// Tree is a recursive map.
type Tree map[string]Tree

// List is a slice with a name.
type List []Point

// Page is generic.
type Page[T any] struct {
	Items []T `json:"items"`
	Next  *T  `json:"next,omitempty"`
}

// Pages uses instances of a generic type.
type Pages struct {
	Points Page[Point]
	Names  *Page[string]
}

// private is an unexported type.
type private struct {
	N int
	S string `json:"s"`
}

// NewPrivate returns a private for tests.
func NewPrivate() any { return new(private) }

// Prices has floats with fixed decimals, which encoding/json does not know.
type Prices struct {
	One  float64   `json:"one" fxjson:"decimals=2"`
	Many []float64 `json:"many" fxjson:"decimals=3"`
	Ptr  *float32  `json:"ptr" fxjson:"decimals=0"`
}

// Quoted has option "string" on every kind to which it applies, and on some to which it does not.
type Quoted struct {
	Bool    bool         `json:",string"`
	Int     int          `json:",string"`
	Int8    int8         `json:",string"`
	Int16   int16        `json:",string"`
	Int32   int32        `json:",string"`
	Int64   int64        `json:",string"`
	Uint    uint         `json:",string"`
	Uint8   uint8        `json:",string"`
	Uint16  uint16       `json:",string"`
	Uint32  uint32       `json:",string"`
	Uint64  uint64       `json:",string"`
	Uintptr uintptr      `json:",string"`
	Float32 float32      `json:",string"`
	Float64 float64      `json:",string"`
	String  string       `json:",string"`
	Status  Status       `json:",string"`
	Title   Title        `json:",string"`
	Flag    Flag         `json:",string"`
	Ratio   Ratio        `json:",string"`
	BoolP   *bool        `json:",string"`
	IntP    *int         `json:",string"`
	UintP   *uint8       `json:",string"`
	FloatP  *float64     `json:",string"`
	StringP *string      `json:",string"`
	NumberP *json.Number `json:",string,omitempty"`
	Upper   Upper        `json:",string"`
	Slice   []int        `json:",string"`
	PtrPtr  **int        `json:",string"`
}

// Keys has maps with keys of every kind that can be one.
type Keys struct {
	Ints    map[int]int
	Int8s   map[int8]int
	Int16s  map[int16]int
	Int32s  map[int32]int
	Int64s  map[int64]int
	Uints   map[uint]int
	Uint8s  map[uint8]int
	Uint16s map[uint16]int
	Uint32s map[uint32]int
	Uint64s map[uint64]int
	Ptrs    map[uintptr]int
	Status  map[Status]int
	Titles  map[Title]*Point
	Colors  map[Color]*int
	Addrs   map[netip.Addr][]string
}

// Left and Right are embedded in Conflicts. Both have a field Same, so neither is seen. The name
// Tagged goes to Right.Other, which has a tag. Left.Deeper is hidden by Conflicts.Deeper.
type Left struct {
	Same   int
	Tagged int
	Deeper int
	Shared
}

// Right is embedded in Conflicts, like Left.
type Right struct {
	Same  int
	Other int `json:"Tagged"`
	Shared
}

// Shared is embedded twice at one depth.
type Shared struct{ Twice int }

// Conflicts has promoted fields whose names collide.
type Conflicts struct {
	*Left
	Right
	Deeper string
	Key    int `json:"same"`
}

// Strange uses features that versions 1 and 2 of encoding/json treat differently.
type Strange struct {
	Strict   int            `json:"strict,case:strict"`
	Format   []byte         `json:"format,format:hex"`
	Quotes   string         `json:"'in quotes'"`
	Symbol   string         `json:"price€"`
	Texts    map[Upper]int  `json:"texts"`
	Appended AppendedText   `json:"appended"`
	Embedded map[string]any `json:",embed"`
	Inlined  map[string]int `json:",inline"`
	Both     TextBoth       `json:"both"`
}

// StrangeName has a field whose name version 1 refuses, and nothing else that is strange.
type StrangeName struct {
	Price float64 `json:"price€"`
}

// StrangeKeys has map keys that are strings with a method, and nothing else that is strange.
type StrangeKeys struct{ Texts map[Upper]int }

// StrangeFold has names that differ in case, one of them promoted.
type StrangeFold struct {
	FoldBase
	Key int `json:"key"`
}

// FoldBase is embedded in StrangeFold.
type FoldBase struct{ KEY int }

// AppendedText has AppendText alone, which version 1 does not know.
type AppendedText struct{ N int }

// AppendText appends the number.
func (a AppendedText) AppendText(b []byte) ([]byte, error) { return fmt.Appendf(b, "<%d>", a.N), nil }

// TextBoth has AppendText and MarshalText, which return different texts.
type TextBoth struct{ N int }

// AppendText appends the number.
func (a TextBoth) AppendText(b []byte) ([]byte, error) { return fmt.Appendf(b, "append %d", a.N), nil }

// MarshalText is the number.
func (a TextBoth) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "marshal %d", a.N), nil }

// Wide has many fields, for documents with other keys or with keys in another order.
type Wide struct {
	F00, F01, F02, F03, F04, F05, F06, F07 int
	F08, F09, F10, F11, F12, F13, F14, F15 int
	F16, F17, F18, F19, F20, F21, F22, F23 int
	F24, F25, F26, F27, F28, F29, F30, F31 int
	F32, F33, F34, F35, F36, F37, F38, F39 int
	F40, F41, F42, F43, F44, F45, F46, F47 int
	F48, F49, F50, F51, F52, F53, F54, F55 int
	F56, F57, F58, F59, F60, F61, F62, F63 int
}

// Shapes has a field for each kind of target, for documents of many shapes.
type Shapes struct {
	Text    string             `json:"text"`
	Texts   []string           `json:"texts"`
	Named   map[string]string  `json:"named"`
	Ints    []int              `json:"ints"`
	Uints   []uint64           `json:"uints"`
	Floats  []float64          `json:"floats"`
	Singles []float32          `json:"singles"`
	Numbers []json.Number      `json:"numbers"`
	Counts  map[string]int     `json:"counts"`
	Keyed   map[int]float64    `json:"keyed"`
	Bools   []bool             `json:"bools"`
	Rows    [][]int            `json:"rows"`
	Tables  [][]string         `json:"tables"`
	Items   []Profile          `json:"items"`
	Ptrs    []*Profile         `json:"ptrs"`
	Objects map[string]Profile `json:"objects"`
	Any     any                `json:"any"`
	Raw     json.RawMessage    `json:"raw"`
	Bytes   []byte             `json:"bytes"`
	Times   []time.Time        `json:"times"`
	Addrs   []netip.Addr       `json:"addrs"`
	Tree    []Shapes           `json:"tree"`
	Next    *Shapes            `json:"next"`
}
