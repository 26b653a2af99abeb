package serve

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

func TestJSONPath(t *testing.T) {
	type Base struct {
		Kind string `json:"kind"`
	}
	type Word string
	type root struct {
		Base
		*Word
		Named  Base `json:"named"`
		Lists  [][]*Base
		Hidden string `json:"-"`
		Plain  string `json:",omitempty"`
	}
	for path, want := range map[string][]any{
		"Base.Kind":        {"kind"},
		"Named.Kind":       {"named", "kind"},
		"Lists[0][0].Kind": {"Lists", 0, 0, "kind"},
		"Plain":            {"Plain"},
		"Word":             {"Word"},
		"Hidden":           nil,
		"Nowhere":          nil,
		"Plain[0]":         nil,
		"Plain.Kind":       nil,
	} {
		if got, ok := jsonPath(reflect.TypeFor[root](), path); ok != (want != nil) || !reflect.DeepEqual(got, want) && ok {
			t.Errorf("%s: %v, %t", path, got, ok)
		}
	}
}

type gettable struct {
	Name string `json:"name"`
}

// TestGetter: what reads the leaf of all values is an accessor, what reads anything
// else is not.
func TestGetter(t *testing.T) {
	lookUp := func(key string) func([]any) func([]byte) (string, error) {
		return func(path []any) func([]byte) (string, error) {
			return func(doc []byte) (string, error) {
				var m map[string]string
				err := json.Unmarshal(doc, &m)
				return m[fmt.Sprint(path[0])+key], err
			}
		}
	}
	for key, want := range map[string]string{"": "get", "x": "full"} {
		b := newBinding(worker.Subject[gettable]{Leaf: func(v *gettable) string { return v.Name }, LeafPath: "Name"},
			worker.Contender[gettable]{Name: "x", Family: "json", Get: lookUp(key),
				Encoders: []worker.Encoder[gettable]{worker.Marshal[gettable]("fresh", json.Marshal)},
				Decoders: worker.Unmarshal[gettable](json.Unmarshal)}, nil)
		if err := b.load([]gettable{{"a"}, {""}, {"c"}}, 1); err != nil {
			t.Fatal(err)
		}
		modes, err := b.modes()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, m := range modes {
			if m.Op == "access" {
				got += m.Mode
			}
		}
		if got != want {
			t.Errorf("key %q: access by %s instead of %s", key, got, want)
		}
		if c := verdict(worker.CheckAccess, b.checkAccess()); c.Result != map[bool]string{true: "ok", false: "n/a"}[want == "get"] {
			t.Errorf("key %q: %v", key, c)
		}
	}
}
