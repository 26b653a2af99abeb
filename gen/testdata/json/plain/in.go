package plain

import (
	"encoding/json"
	"math"
	"time"
)

// Session is a struct of the usual kinds.
type Session struct {
	ID       uint64            `json:"id"`
	User     string            `json:"user"`
	Created  time.Time         `json:"created"`
	TTL      time.Duration     `json:"ttl"`
	Roles    []string          `json:"roles"`
	Scores   []int32           `json:"scores"`
	Attrs    map[string]any    `json:"attrs"`
	Counts   map[int]int64     `json:"counts"`
	Labels   map[string]string `json:"labels,omitempty"`
	Active   bool              `json:"active"`
	Balance  float64           `json:"balance"`
	Ratio    float32           `json:"ratio"`
	Avatar   []byte            `json:"avatar"`
	Sum      [4]byte           `json:"sum"`
	Raw      json.RawMessage   `json:"raw"`
	Number   json.Number       `json:"number"`
	Any      any               `json:"any"`
	Note     *string           `json:"note"`
	Profile  Profile           `json:"profile"`
	Previous *Profile          `json:"previous"`
	Unnamed  struct{ X, Y int }
	Skipped  func() `json:"-"`
	private  int
}

// Profile is nested.
type Profile struct {
	Name string
	Age  uint8
	Tags [][]string
}

var note = "naïve \u2028 <b>&\"\\\n\x00"

var samples = []any{
	&Session{Raw: json.RawMessage("null"), Number: "0"},
	&Session{
		ID: math.MaxUint64, User: "Ann", Created: time.Date(2024, 2, 29, 1, 2, 3, 4, time.UTC), TTL: time.Hour,
		Roles: []string{"a", "", note}, Scores: []int32{math.MinInt32, 0, 1},
		Attrs:  map[string]any{"b": 1.5, "a": "x", "c": []any{nil, true, map[string]any{}}},
		Counts: map[int]int64{-1: 1, 10: 2, 9: math.MinInt64}, Labels: map[string]string{"z": "1", "": "2"},
		Active: true, Balance: 1e21, Ratio: 0.1, Avatar: []byte{0, 255}, Sum: [4]byte{1, 2, 3, 4},
		Raw: json.RawMessage(`{"a":[1,2]}`), Number: "-1.5e3", Any: []any{"x", 1.0}, Note: &note,
		Profile: Profile{Name: "n", Age: 255, Tags: [][]string{nil, {}, {"t"}}}, Previous: &Profile{},
	},
}
