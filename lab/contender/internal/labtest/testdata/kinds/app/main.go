// Command app is a package main that declares names which generated code tends to use.
package main

import (
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	stdtime "time"

	"example.org/kinds/other"
)

var json = stdjson.Marshal

type (
	time   int
	msgp   struct{ proto, pb string }
	worker struct{}
	v      bool
	m      = map[string]v
)

func easyjson() {}
func jlexer()   {}
func jwriter()  {}
func adapter()  {}
func err() string {
	_, _ = json(nil)
	return fmt.Sprint(msgp{}, worker{}, m{}, other.Point{})
}

// event has fields with such names, too.
type event struct {
	ID    string           `json:"id"`
	At    stdtime.Time     `json:"at"`
	Took  stdtime.Duration `json:"took"`
	Tick  time             `json:"tick"`
	Flag  v                `json:"flag"`
	Flags m                `json:"flags"`
	Where other.Point      `json:"where"`
	Raw   stdjson.RawMessage
	Reset bool
	Size  int32
	Value *Value
	Kids  []event
}

// Value shares its name with a message that generated schemas may contain.
type Value struct{ N int }

// Sampleevent draws one.
func Sampleevent(r *rand.Rand) event {
	e := event{ID: "e", At: stdtime.Unix(r.Int64N(1e9), 5).UTC(), Took: 7, Tick: 8, Flag: true, Flags: m{"a": true}, Where: other.Point{X: 1, Label: "p"},
		Raw: stdjson.RawMessage(`[1]`), Reset: true, Size: 3, Value: &Value{4}}
	if r.IntN(2) == 0 {
		e.Kids = []event{{ID: "k", Raw: stdjson.RawMessage(`{}`)}}
	}
	return e
}

func main() {
	easyjson()
	jlexer()
	jwriter()
	adapter()
	fmt.Println(err())
}
