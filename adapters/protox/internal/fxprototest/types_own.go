package fxprototest

import (
	"encoding/hex"
	"errors"
	"math/big"
	"net/netip"
	"strings"
	"time"

	"github.com/zmylab/zmy/fxproto"
)

var errOwn = errors.New("refused by a method of the type")

// Code is three bytes whose text is in hexadecimal. Its methods have different receivers.
type Code [3]byte

// MarshalText refuses codes that begin with 0xff.
func (c Code) MarshalText() ([]byte, error) {
	if c[0] == 0xff {
		return nil, errOwn
	}
	return hex.AppendEncode(nil, c[:]), nil
}

// UnmarshalText takes six digits.
func (c *Code) UnmarshalText(b []byte) error {
	if len(b) != 6 {
		return errOwn
	}
	if _, err := hex.Decode(c[:], b); err != nil {
		return errors.Join(errOwn, err)
	}
	return nil
}

// Path is a slice that is one text. A path of one empty name has none.
type Path []string

// MarshalText joins the names.
func (p *Path) MarshalText() ([]byte, error) { return []byte(strings.Join(*p, "/")), nil }

// UnmarshalText adds the names to those that are there, since decoders call it on a zero value only.
func (p *Path) UnmarshalText(b []byte) error {
	*p = append(*p, strings.Split(string(b), "/")...)
	return nil
}

// Pair is two numbers in three bytes. It has a function, so that values cannot be compared.
type Pair struct {
	a byte
	b uint16
	f func()
}

// AppendBinary has 3 bytes.
func (p *Pair) AppendBinary(b []byte) ([]byte, error) {
	if p.a == 0xff {
		return nil, errOwn
	}
	return append(b, p.a, byte(p.b), byte(p.b>>8)), nil
}

// MarshalBinary is AppendBinary.
func (p *Pair) MarshalBinary() ([]byte, error) { return p.AppendBinary(nil) }

// UnmarshalBinary takes 3 bytes.
func (p *Pair) UnmarshalBinary(b []byte) error {
	if len(b) != 3 {
		return errOwn
	}
	p.a, p.b = b[0], uint16(b[1])|uint16(b[2])<<8
	return nil
}

// Note is a text of any length, which it appends.
type Note struct{ s string }

// AppendText appends the text.
func (n Note) AppendText(b []byte) ([]byte, error) { return append(b, n.s...), nil }

// MarshalText returns the text.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.s), nil }

// UnmarshalText takes any text.
func (n *Note) UnmarshalText(b []byte) error {
	n.s = string(b)
	return nil
}

// Own has types that are texts or bytes by methods of their own.
type Own struct {
	Addr  netip.Addr            `proto:"1,text"`
	Ptr   *netip.Addr           `proto:"2,text"`
	List  []netip.Addr          `proto:"3,text"`
	Map   map[string]netip.Addr `proto:"4,val:text"`
	Code  Code                  `proto:"5,text"`
	Codes []Code                `proto:"6,text"`
	Path  Path                  `proto:"7,text"`
	Paths []Path                `proto:"8,text"`
	PP    *Path                 `proto:"9,text"`
	Pair  Pair                  `proto:"10,binary"`
	Pairs map[int32]Pair        `proto:"11,val:binary"`
	Big   *big.Int              `proto:"12,text"`
	Rat   big.Rat               `proto:"13,text"`
	Time  time.Time             `proto:"14,text"`
	Bin   []time.Time           `proto:"15,binary"`
	Must  Code                  `proto:"16,text,optional"`
	Note  Note                  `proto:"17,text"`
	Notes map[Code8]Note        `proto:"18,val:text"`
	One   *Code                 `proto:"19,text,oneof:kind"`
	Two   *Pair                 `proto:"20,binary,oneof:kind"`
	Other Owned                 `proto:"oneof"`

	Unknown fxproto.Unknown
}

// Code8 is a key.
type Code8 uint8

// Owned has arms that are texts, bytes and small numbers.
type Owned interface{ isOwned() }

// The arms of Owned.
type (
	OwnedAddr struct {
		A netip.Addr `proto:"21,oneof,text"`
	}
	OwnedPair struct {
		B Pair `proto:"22,oneof,binary"`
	}
	OwnedSmall struct {
		Small Small `proto:"23,oneof"`
	}
)

func (OwnedAddr) isOwned()  {}
func (*OwnedPair) isOwned() {}
func (OwnedSmall) isOwned() {}
