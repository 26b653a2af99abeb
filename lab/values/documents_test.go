package values

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type point struct {
	X int    `json:"x"`
	S string `json:"s"`
}

func TestFromDocuments(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a.json", `{"x":1}`, `[{1 }]`},
		{"a.json", " \n[{\"x\":1},{\"x\":2}]\n", `[{1 } {2 }]`},
		{"a.json", "{\"x\":1}\n{\"x\":2}\n\n{\"x\":3}", `[{1 } {2 } {3 }]`},
		{"a.json", "\ufeff{\"x\":1}", `[{1 }]`},
		{"a.json", "{\n\"x\":1\n}\n{\n\"x\":2}", `[{1 } {2 }]`},
		{"a.json", "{\"x\":1}\n{\"x\":\"a\"}", `[{1 }] a.json:2: cannot unmarshal string`},
		{"a.json", "[{\"x\":1},\n {\"x\":true}]", `[{1 }] a.json:2: cannot unmarshal bool`},
		{"a.json", "[{\"x\":1},\n\n{\n \"s\":5}]", `[{1 }] a.json:4: cannot unmarshal number`},
		{"a.ndjson", "{\"x\":\n{\"x\":2}\n", `[{2 }] a.ndjson:1: the document ends early`},
		{"a.json", "{\"x\":1}\n{\"x\":}\n{\"x\":3}", `[{1 } {3 }] a.json:2: invalid character '}'`},
		{"a.json", "{\n\"x\":1}\n{\"x\":}\n{\"x\":3}", `[{1 }] a.json:3: invalid character '}' looking for beginning of value; the ` +
			`rest of the file was not read`},
		{"a.json", `[{"x":1}`, `[{1 }] a.json:1: the document ends early`},
		{"a.json", `[{"x":1}] 5`, `[{1 }] a.json:1: something follows`},
		{"a.json", ``, `error: samples: no document gives a value: a.json: it holds no document`},
		{"a.json", `[]`, `error: samples: no document gives a value: a.json: the array holds no document`},
		{"a.json", `{"x":`, `error: samples: no document gives a value: a.json:1: the document ends early`},
		{"a.json", "{\"x\":\"a\"}\n{\"x\":\"b\"}", `error: samples: no document gives a value: a.json:1: cannot unmarshal string ` +
			`into Go struct field point.x of type int (and 1 more)`},
	} {
		file := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(file, []byte(c.in), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := FromDocuments[point](file, 100)
		text := ""
		if err != nil {
			text = "error: " + err.Error()
		} else {
			text = strings.TrimSpace(fmt.Sprint(got.Values) + " " + refusals(got.Refused))
		}
		if text != c.want && !(len(text) > len(c.want) && strings.HasPrefix(text, c.want) && strings.ContainsAny(c.want, ":")) {
			t.Errorf("%q\n got %s\nwant %s", c.in, text, c.want)
		}
	}
}

func refusals(list []Refusal) string {
	var out []string
	for _, r := range list {
		out = append(out, r.String())
	}
	return strings.Join(out, "; ")
}

func TestFromDocumentsOfLists(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	for in, want := range map[string]string{`[1,2]`: "[[1 2]]", "[1,2]\n[3]": "[[1 2] [3]]"} {
		if err := os.WriteFile(file, []byte(in), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := FromDocuments[[]int](file, 100)
		if err != nil || fmt.Sprint(got.Values) != want {
			t.Errorf("%s: %v, %v; want %s", in, got, err, want)
		}
	}
}

func TestFromFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.ndjson": "{\"x\":3}\nnonsense\n{\"x\":4}\n", "a.json": `[{"x":1},{"x":2}]`, "sub/c.JSONL": `{"x":5}`,
		"readme.txt": "hello", "m.zmy": "\x00", ".hidden/d.json": `{"x":9}`, ".e.json": `{"x":9}`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := FromDocuments[point](dir, 100)
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.Values); s != "[{1 } {2 } {3 } {4 } {5 }]" || got.Documents != 5 {
		t.Errorf("%d documents, values %s", got.Documents, s)
	}
	want := "b.ndjson:2: invalid character 'o' in literal null (expecting 'u'); m.zmy: messages are not read: make JSON of it first, " +
		"zmy convert FILE -to json; readme.txt: its name ends in none of .json .ndjson .jsonl"
	if s := refusals(got.Refused); s != want {
		t.Errorf("refused %s\nwant %s", s, want)
	}
	if few, err := FromDocuments[point](dir, 2); err != nil || len(few.Values) != 2 || few.Documents != 5 {
		t.Errorf("two of them: %v, %v", few, err)
	}
	if _, err := FromDocuments[point](filepath.Join(dir, "none"), 2); err == nil {
		t.Error("no error where there is no file")
	}
}

// Members that the type has no place for are counted: the values lack them.
func TestUnknownMembers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.WriteFile(file, []byte("{\"x\":1,\"new\":2}\n{\"X\":1}\n{\"new\":1,\"other\":2}\n{\"other\":[{\"x\":1}]}\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	got, err := FromDocuments[point](file, 100)
	if err != nil || len(got.Values) != 4 || fmt.Sprint(got.Unknown) != "map[new:2 other:1]" {
		t.Errorf("%d values, unknown %v, %v", len(got.Values), got.Unknown, err)
	}
}
