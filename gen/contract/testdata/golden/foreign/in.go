// Package foreign has types of other packages.
package foreign

import (
	"database/sql"
	"encoding/json"
	"math/big"
	"net/netip"
	"time"
)

// UUID is an array that writes itself as a text.
type UUID [16]byte

// MarshalText writes two digits.
func (u UUID) MarshalText() ([]byte, error) { return []byte{'0' + u[0]%10, '0' + u[1]%10}, nil }

// UnmarshalText reads nothing.
func (u *UUID) UnmarshalText([]byte) error { return nil }

// Pointed writes itself only where it has an address.
type Pointed struct{ N int }

// MarshalJSON writes a number.
func (p *Pointed) MarshalJSON() ([]byte, error) { return []byte("7"), nil }

// Unit is an enumeration.
type Unit int8

// The units. */ ends no comment.
const (
	Metre Unit = iota + 1
	Foot
	Yard
)

// Bits are combined.
type Bits uint

// The bits.
const (
	A Bits = 1 << iota
	B
	C
)

// Record has a name that TypeScript knows.
type Record struct {
	Unit  Unit            `json:\"unit\"`
	Text  Unit            `json:\"text,string\"`
	Opt   Unit            `json:\"opt,omitempty\"`
	Ptr   *Unit           `json:\"ptr\"`
	Units [2]Unit         `json:\"units\"`
	Map   map[Unit]Unit   `json:\"map\"`
	Bits  Bits            `json:\"bits\"`
	// Deprecated: use Unit.
	Old bool `json:\"old-name*/,string\"`
}

// All has one of each.
type All struct {
	Time     time.Time
	Times    map[time.Time]*time.Time
	Duration time.Duration
	Number   json.Number
	Numbers  []json.Number
	Raw      json.RawMessage
	RawPtr   *json.RawMessage
	Int      big.Int
	IntPtr   *big.Int
	Ints     []big.Int
	IntMap   map[string]big.Int
	Float    *big.Float
	Rat      *big.Rat
	UUID     UUID
	UUIDs    map[UUID]*UUID
	Null     sql.NullString
	NullTime sql.NullTime
	NullInt  sql.Null[int8]
	Addr     netip.Addr
	Prefix   *netip.Prefix
	AddrPort netip.AddrPort
	Pointed  Pointed
	Pointer  *Pointed
	Listed   []Pointed
	Array    [2]Pointed
	Mapped   map[string]Pointed
	Record   Record
	Tree     Tree
	Index    Index
	Page     Page[Record]
	Next     *All
	Any      any
	Err      error
	Quoted   float64 `json:\",string\"`
	QuotedS  string  `json:\",string\"`
	QuotedP  *uint8  `json:\",string\"`
	Bytes    []byte
	Fixed    [4]byte
	Long     [12]float32
	None     [0]int  `json:\",omitempty\"`
	Empty    struct{}
	PP       **string
	Slices   [][]*int
	Keys     map[int8]map[uint64]bool
}

// Tree contains itself.
type Tree []Tree

// Index contains itself.
type Index map[string]Index

// Page is generic.
type Page[E any] struct {
	Items []E      `json:\"items\"`
	Next  *Page[E] `json:\"next,omitempty\"`
}

// Leaf has no members.
type Leaf struct{}
