package shadow_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/shadow"
	"github.com/zmylab/zmy/codec/shadow/diff"
)

// rounded is JSON by somebody who has meant well.
type rounded struct{ codec.StdJSON }

func (rounded) Name() string { return "rounded" }

func (c rounded) Marshal(v any) ([]byte, error) {
	b, err := c.StdJSON.Marshal(v)
	return []byte(strings.ReplaceAll(string(b), "3.14", "3")), err
}

// A codec with another one in its shadow, in place of the codec alone. Here every
// operation is tried, and contents are shown; a service leaves both as they are.
func Example() {
	json := shadow.New(codec.StdJSON{}, rounded{}, shadow.Options{Share: 1, ShowValues: true})
	type Circle struct {
		Name  string
		Radii []float64
	}
	b, err := json.Marshal(Circle{"c", []float64{1, 3.14}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(b)) // what encoding/json says
	for _, f := range json.Report().Findings {
		fmt.Println(f.Count, f.Pattern, "·", f)
	}
	// Output:
	// {"Name":"c","Radii":[1,3.14]}
	// 1 Circle.Radii[] · Circle.Radii[1]: 3.14 vs 3
}

// What was sent against what arrived, in a test of one's own.
func Example_compare() {
	type Item struct{ Tags map[string]any }
	sent := []Item{{map[string]any{"size": 7}}}
	arrived := []Item{{map[string]any{"size": 7.0}}}
	for _, d := range diff.Compare(sent, arrived, diff.Options{}).Differences {
		fmt.Println(d)
	}
	fmt.Println(diff.Compare(sent, arrived, diff.Options{LooseNumbers: true}).Equal())
	// Output:
	// []shadow_test.Item[0].Tags["size"]: int(7) vs float64(7)
	// true
}
