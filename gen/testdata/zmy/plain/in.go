package plain

import (
	"encoding/json"
	"math"
	"math/big"
	"time"
)

// Session is a struct of the usual kinds.
type Session struct {
	ID       uint64            `zmy:"0"`
	User     string            `zmy:"1"`
	Created  time.Time         `zmy:"2"`
	TTL      time.Duration     `zmy:"3"`
	Roles    []string          `zmy:"4"`
	Scores   []int32           `zmy:"5"`
	Attrs    map[string]any    `zmy:"6"`
	Counts   map[int]int64     `zmy:"7"`
	Labels   map[string]string `zmy:"8"`
	Active   bool              `zmy:"9"`
	Balance  float64           `zmy:"10"`
	Avatar   []byte            `zmy:"11"`
	Sum      [4]byte           `zmy:"12"`
	Raw      json.RawMessage   `zmy:"13"`
	Any      any               `zmy:"14"`
	Note     *string           `zmy:"15"`
	Profile  Profile           `zmy:"16"`
	Previous *Profile          `zmy:"17"`
	Past     []Profile         `zmy:"18"`
	Price    *big.Float        `zmy:"19"`
	Count    *big.Int          `zmy:"20"`
	Kept     []string          `zmy:"21,nilable"`
	Skipped  func()            `zmy:"-"`
	private  int
}

// Profile is nested.
type Profile struct {
	Name string     `zmy:"0"`
	Age  uint8      `zmy:"1"`
	Tags [][]string `zmy:"2"`
}

var note = "naïve"

var samples = []any{
	&Session{},
	&Session{
		ID: math.MaxUint64, User: "Ann", Created: time.Date(2024, 2, 29, 1, 2, 3, 4, time.UTC), TTL: time.Hour,
		Roles: []string{"a", "", note}, Scores: []int32{math.MinInt32, 0, 1},
		Attrs:  map[string]any{"b": 1.5, "a": "x", "c": true},
		Counts: map[int]int64{-1: 1, 10: 2, 9: math.MinInt64}, Labels: map[string]string{"z": "1", "": "2"},
		Active: true, Balance: 1e21, Avatar: []byte{0, 255}, Sum: [4]byte{1, 2, 3, 4},
		Raw: json.RawMessage(`{"a":[1,2]}`), Any: "x", Note: &note,
		Profile: Profile{Name: "n", Age: 255, Tags: [][]string{{"t"}}}, Previous: &Profile{},
		Past: []Profile{{Name: "p"}, {}}, Price: big.NewFloat(1.5), Count: big.NewInt(-7), Kept: []string{},
	},
}
