package bench

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

func TestRespell(t *testing.T) {
	const doc = `{"a":1.50,"b":[{"x":"\u00e9 }","y":[],"z":{}},2],"c":{"k":null,"l":true,"m":"a\"b"},"d":1e2}`
	var want any
	if err := json.Unmarshal([]byte(doc), &want); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, input := range worker.Inputs {
		spellings := map[string]bool{}
		for range 50 {
			out, err := respell([]byte(doc), input, r)
			if err != nil {
				t.Fatalf("%s: %v", input, err)
			}
			var got any
			if err := json.Unmarshal(out, &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %s means %v, %v", input, out, got, err)
			}
			if string(out) == doc && input == worker.InputIndented {
				t.Fatalf("%s: not respelled", input)
			}
			if input == worker.InputShuffled && len(out) != len(doc) {
				t.Fatalf("%s: %s has other parts", input, out)
			}
			spellings[string(out)] = true
		}
		if few := len(spellings) < 20; few != (input == worker.InputIndented) {
			t.Errorf("%s: %d spellings in 50 draws", input, len(spellings))
		}
	}
}

// TestRespellRepeated: the last of two members of one name counts, so they keep their order.
func TestRespellRepeated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		out, err := respell([]byte(`{"a":1,"b":2,"a":3}`), worker.InputShuffled, r)
		if err != nil || string(out) != `{"a":1,"b":2,"a":3}` {
			t.Fatalf("%s, %v", out, err)
		}
	}
}

func TestRespellRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, doc := range []string{`{"a":1}x`, `{"a"`, `[1,`} {
		for _, input := range append([]string{"upside down"}, worker.Inputs...) {
			if out, err := respell([]byte(doc), input, r); err == nil {
				t.Errorf("%s of %s = %s", input, doc, out)
			}
		}
	}
}
