package kinds

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"strings"
	"time"
)

// Forms has fields in forms that options or methods choose.
type Forms struct {
	Zone    time.Time            `zmy:"0,zone"`
	Zones   []time.Time          `zmy:"1,zone,nilable"`
	Nano    time.Time            `zmy:"2,unixnano"`
	NanoPtr *time.Time           `zmy:"3,unixnano"`
	Nanos   [2]time.Time         `zmy:"4,unixnano"`
	NanoMap map[string]time.Time `zmy:"5,unixnano"`
	Spot    Spot                 `zmy:"6,inline"`
	Box     Box                  `zmy:"7,inline"`
	Boxes   []Box                `zmy:"8"`
	Own     Celsius              `zmy:"9"`
	Owns    []Celsius            `zmy:"10"`
	OwnPtr  *Celsius             `zmy:"11"`
	OwnMap  map[int8]Celsius     `zmy:"12"`
	Bin     Version              `zmy:"13"`
	Txt     *Label               `zmy:"14"`
	Txts    [2]Label             `zmy:"15"`
	Addr    netip.Addr           `zmy:"16"`
	Checked Checked              `zmy:"17"`
}

// Spot stands inline.
type Spot struct {
	X    int16     `zmy:"1"`
	Y    int32     `zmy:"0"`
	At   time.Time `zmy:"2"`
	note string
}

// Note returns a field that no format carries.
func (s *Spot) Note() string { return s.note }

// Box has a struct inline.
type Box struct {
	On  bool      `zmy:"0"`
	Min Spot      `zmy:"1,inline"`
	Day time.Time `zmy:"2,zone"`
}

// Celsius writes itself.
type Celsius int32

// AppendZMY appends four bytes, or none for 0.
func (c Celsius) AppendZMY(b []byte) ([]byte, error) {
	if c == 0 {
		return b, nil
	}
	return binary.BigEndian.AppendUint32(b, uint32(c)), nil
}

var errCelsius = errors.New("no temperature")

// UnmarshalZMY reads four bytes.
func (c *Celsius) UnmarshalZMY(b []byte) error {
	if len(b) != 4 || string(b) == "\x00\x00\x00\x00" {
		return errCelsius
	}
	*c = Celsius(binary.BigEndian.Uint32(b))
	return nil
}

// Version has binary methods.
type Version struct{ Major, Minor uint8 }

// AppendBinary appends two bytes, or none for the zero value.
func (v Version) AppendBinary(b []byte) ([]byte, error) {
	if v == (Version{}) {
		return b, nil
	}
	return append(b, v.Major, v.Minor), nil
}

// UnmarshalBinary reads two bytes.
func (v *Version) UnmarshalBinary(b []byte) error {
	if len(b) != 2 || b[0]|b[1] == 0 {
		return errors.New("no version")
	}
	v.Major, v.Minor = b[0], b[1]
	return nil
}

// Label has text methods.
type Label struct{ Text string }

// MarshalText returns the text.
func (l *Label) MarshalText() ([]byte, error) { return []byte(l.Text), nil }

// UnmarshalText refuses a text that contains the character #.
func (l *Label) UnmarshalText(b []byte) error {
	if l.Text = string(b); strings.Contains(l.Text, "#") {
		return errors.New("no label")
	}
	return nil
}

// ErrOdd is the error for an odd number in Checked.
var ErrOdd = errors.New("odd")

// Checked refuses odd numbers.
type Checked struct {
	Even int `zmy:"0"`
}

// AfterUnmarshalZMY returns ErrOdd if the number is odd.
func (c *Checked) AfterUnmarshalZMY() error {
	if c.Even&1 != 0 {
		return ErrOdd
	}
	return nil
}
