package hooks

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Mixed holds types that marshal themselves in part or in full.
type Mixed struct {
	Status  Status
	Ptr     *Status
	Upper   Upper
	Addr    ByAddr
	List    []ByAddr
	Map     map[string]ByAddr
	Keys    map[Upper]int
	OnlyOut OnlyOut
	Stamp   Stamp
	Iface   Shape
	Date    time.Time
}

// Status marshals itself as a word.
type Status int

// MarshalJSON returns a word.
func (s Status) MarshalJSON() ([]byte, error) { return json.Marshal(strings.Repeat("on", int(s))) }

// UnmarshalJSON reads a word.
func (s *Status) UnmarshalJSON(b []byte) error {
	var word string
	if err := json.Unmarshal(b, &word); err != nil {
		return err
	}
	*s = Status(len(word) / 2)
	return nil
}

// Upper is a text.
type Upper string

// MarshalText returns the text in upper case.
func (u Upper) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(u))), nil }

// UnmarshalText refuses nothing but "no".
func (u *Upper) UnmarshalText(b []byte) error {
	if string(b) == "no" {
		return errors.New("no")
	}
	*u = Upper(strings.ToLower(string(b)))
	return nil
}

// ByAddr marshals itself if it is addressable, and otherwise is marshaled as a struct.
type ByAddr struct{ X int }

// MarshalJSON has a pointer receiver.
func (b *ByAddr) MarshalJSON() ([]byte, error) { return json.Marshal([]int{b.X}) }

// UnmarshalJSON takes both forms.
func (b *ByAddr) UnmarshalJSON(src []byte) error {
	var list []int
	if json.Unmarshal(src, &list) == nil && len(list) == 1 {
		b.X = list[0]
		return nil
	}
	type plain ByAddr
	return json.Unmarshal(src, (*plain)(b))
}

// OnlyOut marshals itself and is unmarshaled as a struct.
type OnlyOut struct{ N int }

// MarshalJSON returns an object with spaces, which encoding/json removes.
func (o OnlyOut) MarshalJSON() ([]byte, error) { return []byte(`{ "N" : 5 }`), nil }

// Stamp promotes the methods of what it embeds.
type Stamp struct{ time.Time }

// Shape is an interface with a method.
type Shape interface{ Area() int }

var samples = []any{
	&Mixed{Upper: "a", OnlyOut: OnlyOut{5}},
	&Mixed{
		Status: 2, Ptr: new(Status), Upper: "b", Addr: ByAddr{1}, List: []ByAddr{{2}}, Map: map[string]ByAddr{"m": {3}},
		Keys: map[Upper]int{"k": 1, "j": 2}, OnlyOut: OnlyOut{5}, Stamp: Stamp{time.Unix(1, 2).UTC()}, Date: time.Unix(0, 0).UTC(),
	},
}
