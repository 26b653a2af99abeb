package fidelity

import (
	"strings"
	"testing"
)

func TestSameJSON(t *testing.T) {
	for _, c := range []struct {
		a, b string
		path string // "" when the same
	}{
		{`1`, `1`, ``},
		{` {"a" : [ 1 , 2 ] } `, `{"a":[1,2]}`, ``},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, ``},
		{`"\u0041\n\u00e9"`, "\"A\\nÃ©\"", `.`},
		{`"\u0041\n\u00e9"`, "\"A\\u000aé\"", ``},
		{`"\ud83d\ude00"`, `"😀"`, ``},
		{"\"\xff\"", `"\ufffd"`, ``},
		{`1.0`, `1`, ``}, {`1e2`, `100`, ``}, {`0.001e3`, `1`, ``}, {`100E-2`, `1.00`, ``},
		{`0`, `0.000e5`, ``}, {`-0`, `0`, `.`}, {`-1`, `1`, `.`}, {`12`, `120`, `.`},
		{`1e999999999999999999999`, `10e999999999999999999998`, ``},
		{`9007199254740993`, `9007199254740992`, `.`},
		{`0.1`, `0.10000000000000000001`, `.`},
		{`{"a":1,"a":2}`, `{"a":2}`, `a`},
		{`{"a":1,"b":0,"a":2}`, `{"a":1,"a":2,"b":0}`, ``},
		{`{"a":1,"a":2}`, `{"a":2,"a":1}`, `a`},
		{`{"items":[{"x":1},{"x":2}]}`, `{"items":[{"x":1},{"x":3}]}`, `items[1].x`},
		{`{"a b":{"":1}}`, `{"a b":{"":2}}`, `["a b"][""]`},
		{`[1,2]`, `[1]`, `[1]`}, {`[]`, `[1]`, `[0]`},
		{`{"a":1}`, `{}`, `a`}, {`{}`, `{"k":null}`, `k`},
		{`null`, `false`, `.`}, {`{}`, `[]`, `.`}, {`"1"`, `1`, `.`}, {`true`, `true`, ``},
		{`{`, `{}`, `the first document is not valid JSON`}, {`{}`, `{}x`, `the second document is not valid JSON`},
		{``, ``, `the first document is not valid JSON`},
		{`{"a":"]}\"","b":[{"c":"{["}]}`, `{"b":[{"c":"{["}],"a":"]}\""}`, ``},
	} {
		same, path := SameJSON([]byte(c.a), []byte(c.b))
		if same != (c.path == "") || path != c.path {
			t.Errorf("SameJSON(%s, %s) = %v, %q, want %q", c.a, c.b, same, path, c.path)
		}
		back, _ := SameJSON([]byte(c.b), []byte(c.a))
		if back != same {
			t.Errorf("SameJSON(%s, %s) is not symmetric", c.a, c.b)
		}
	}
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	if same, _ := SameJSON([]byte(deep), []byte(" "+deep)); !same {
		t.Error("deep arrays differ")
	}
}
