package values

import (
	"fmt"
	"strings"
	"testing"
)

type point struct {
	X int    `json:"x"`
	S string `json:"s"`
}

func TestFromSamples(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"x":1}`, `[{1 }]`},
		{" \n[{\"x\":1},{\"x\":2}]\n", `[{1 } {2 }]`},
		{"{\"x\":1}\n{\"x\":2}\n\n{\"x\":3}", `[{1 } {2 } {3 }]`},
		{"\ufeff{\"x\":1}", `[{1 }]`},
		{``, `error: samples: no document: expected`},
		{`[]`, `error: samples: the array holds no document`},
		{"{\"x\":1}\n{\"x\":}", `error: samples: offset 14 (line 2, column 7): invalid character '}'`},
		{"{\"x\":1}\n{\"x\":\"a\"}", `error: samples: document 2 at offset 16 (line 2, column 9): json: cannot unmarshal string`},
		{"[{\"x\":1},\n {\"x\":true}]", `error: samples: document 2 at offset 20 (line 2, column 11): json: cannot unmarshal bool`},
		{`[{"x":1}`, `error: samples: offset 8 (line 1, column 9): the document ends early`},
		{`{"x":`, `error: samples: offset 5 (line 1, column 6): the document ends early`},
		{`[{"x":1}] 5`, `error: samples: offset`},
	} {
		got, err := FromSamples[point]([]byte(c.in))
		text := fmt.Sprint(got)
		if err != nil {
			text = "error: " + err.Error()
		}
		if text != c.want && !(err != nil && strings.HasPrefix(text, c.want)) {
			t.Errorf("%q\n got %s\nwant %s", c.in, text, c.want)
		}
	}
	if got, err := FromSamples[[]int]([]byte(`[1,2]`)); err != nil || len(got) != 1 || len(got[0]) != 2 {
		t.Errorf("a list as one document: %v, %v", got, err)
	}
	if got, err := FromSamples[[]int]([]byte(`[[1,2],[3]]`)); err != nil || len(got) != 2 {
		t.Errorf("an array of lists: %v, %v", got, err)
	}
}
