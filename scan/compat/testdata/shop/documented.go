// Package shop has types by which the tests know what compat has to find.
package shop

import (
	"encoding/json"
	"strings"
	"time"
)

// Documented has a field for each difference that encoding/json documents between its versions.
type Documented struct {
	Name    string          `json:"name"`
	Flag    bool            `json:"flag,omitempty"`
	Count   int             `json:"count,omitempty"`
	Quoted  bool            `json:"quoted,string"`
	List    []int           `json:"list"`
	Map     map[string]int  `json:"map"`
	Pair    [2]int          `json:"pair"`
	Hash    [4]byte         `json:"hash"`
	Held    map[string]Loud `json:"held"`
	ByKey   map[Key]int     `json:"by_key"`
	Deep    []Inner         `json:"deep"`
	Wait    time.Duration   `json:"wait"`
	At      time.Time       `json:"at"`
	Blob    []byte          `json:"blob"`
	Nibbles []Nibble        `json:"nibbles"`
}

// Inner is an element that is read into a used variable.
type Inner struct{ A, B int }

// Loud marshals itself by a method with a pointer receiver.
type Loud struct{ S string }

// MarshalJSON is called for a value that has no address by version 2 only.
func (l *Loud) MarshalJSON() ([]byte, error) { return json.Marshal(strings.ToUpper(l.S)) }

// Key marshals itself, which version 1 does not ask of the key of a map.
type Key string

// MarshalJSON adds a word to the key.
func (k Key) MarshalJSON() ([]byte, error) { return json.Marshal("key-" + string(k)) }

// UnmarshalJSON takes the word off.
func (k *Key) UnmarshalJSON(b []byte) error {
	var s string
	err := json.Unmarshal(b, &s)
	*k = Key(strings.TrimPrefix(s, "key-"))
	return err
}

// Nibble is a byte with a name.
type Nibble byte

// Odd has a struct without exported fields, which version 2 reports.
type Odd struct {
	Name   string
	Hidden struct{ x int }
}

// Tagged says by struct tags what Documented leaves to the options.
type Tagged struct {
	Name  string `json:"name,case:ignore"`
	Flag  bool   `json:"flag,omitzero"`
	Count int    `json:"count,omitzero"`
}
