package dynamic_test

import (
	"bytes"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// Errors have the code and the offset of generated code, and the name of a field.
func TestPaths(t *testing.T) {
	c := codecOf[zmycase.Case](t)
	msg, err := zmy.Marshal(&zmycase.Case{
		Bool: true, Time: time.Unix(1, 0), Text: "é", Texts: []string{"a", "é"}, Index: map[string]zmycase.Point2{"k": {X: 1}},
		Any:   map[string]any{"a": []any{1, "é", 300}},
		Codes: map[int8]string{1: "p", 2: "é"}, Flags: map[bool]bool{true: true}, Set: map[string]struct{}{"s": {}},
		Inner: zmycase.Point2{X: 1}, Ptr: &zmycase.Point2{}, Num: new(int32),
		Real: big.NewFloat(1.5), Big: big.NewInt(-5), Opt: ptr("o"), Pair: [2]string{"", "é"}, Spots: [2]zmycase.Point2{{X: 1}}, List: []string{},
	})
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]int{}
	for n := range msg {
		for bit := range 8 {
			bad := bytes.Clone(msg)
			bad[n] ^= 1 << bit
			_, err := c.Decode(bad)
			var got, want *zmy.DecodeError
			if !errors.As(err, &got) || !errors.As(zmy.Unmarshal(bad, new(zmycase.Case)), &want) {
				continue
			}
			paths[got.Path]++
			if got.Offset != want.Offset || !errors.Is(got, want.Err) {
				t.Errorf("bit %d of byte %d:\n got %v\nwant %v", bit, n, got, want)
			}
		}
	}
	for _, want := range []string{"", "Bool", "Time", "Text", "Texts[1]", `Any["a"][1]`, "Codes[2]", "Pair[1]"} {
		if paths[want] == 0 {
			t.Errorf("no error at %q", want)
		}
	}
}
