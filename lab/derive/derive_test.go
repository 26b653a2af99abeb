package derive

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
)

func texts(docs ...string) (list []values.Document) {
	for _, d := range docs {
		list = append(list, values.Document{Text: json.RawMessage(d)})
	}
	return list
}

func learn(t *testing.T, docs ...string) *fit.Subject {
	t.Helper()
	f, err := values.Learn(texts(docs...), "x.json")
	if err != nil {
		t.Fatal(err)
	}
	return f.Subjects[0]
}

func TestSource(t *testing.T) {
	typ, err := Derive(learn(t,
		`{"user_id":7,"createdAt":"2024-05-01T10:00:00Z","net":1.5,"big":18446744073709551615,"items":[{"sku":"a"},null],"customer":{"id":"x"},"both":1,"none":null,"with,comma":1,"meta":{}}`,
		`{"user_id":-8,"createdAt":"2024-05-02T10:00:00.5+02:00","net":2,"big":1,"items":[],"customer":null,"both":"x","none":null,"user-id":true}`,
	), "sample", "Order")
	if err != nil {
		t.Fatal(err)
	}
	src, notes := typ.Source, typ.Notes
	want := `// Package sample holds a type that was derived from x.json (2 documents).
package sample

import "time"

// Order was seen 2 times.
type Order struct {
	UserID    int64          ` + "`json:\"user_id\"`" + `
	CreatedAt time.Time      ` + "`json:\"createdAt\"`" + `
	Net       float64        ` + "`json:\"net\"`" + `
	Big       uint64         ` + "`json:\"big\"`" + `
	Items     []*Item        ` + "`json:\"items\"`" + `
	Customer  *Customer      ` + "`json:\"customer\"`" + `
	Both      any            ` + "`json:\"both\"`" + `
	None      any            ` + "`json:\"none\"`" + `
	Meta      map[string]any ` + "`json:\"meta,omitempty\"`" + `
	UserID2   *bool          ` + "`json:\"user-id,omitempty\"`" + `
}

// Customer was seen 1 times at customer.
type Customer struct {
	ID string ` + "`json:\"id\"`" + `
}

// Item was seen 1 times at items[].
type Item struct {
	SKU string ` + "`json:\"sku\"`" + `
}
`
	if string(src) != want {
		t.Errorf("got\n%s\nwant\n%s", src, want)
	}
	for _, n := range []string{"both is of type any: its values are of several kinds (int64, string)",
		"none is of type any: it was never anything but null",
		`member "with,comma" of Order cannot be the name in a struct tag and is left out`} {
		if !slices.Contains(notes, n) {
			t.Errorf("note %q is missing in %q", n, notes)
		}
	}
}

func TestExported(t *testing.T) {
	for in, want := range map[string]string{"user_id": "UserID", "userId": "UserID", "x": "X", "2fa": "Field2fa", "": "Field",
		"@type": "Type", "größe": "Größe", "日": "Field日", "http-url": "HTTPURL"} {
		if got := Exported(in); got != want {
			t.Errorf("Exported(%q) = %q, want %q", in, got, want)
		}
	}
}

// What a derived type reads it writes again as it was: a program is made of the types
// of several sets of documents, and run on them.
func TestRoundTrip(t *testing.T) {
	sets := [][]string{
		{`{"a":1,"b":{"c":[1,2,3]}}`, `{"a":2,"b":{"c":[]}}`},
		{`{"type":"x","range":{"type":1,"func":[[{"go":true}]]}}`},
		{`{"items":[{"item":{"item":1}}],"item":{"items":[{"x":null}]}}`},
		{`[1,2.5,3]`, `[]`},
		{`{"-":1,"a":{"-":"x"}}`, `{"a":{"-":"y"},"a b":1,"$ref":2,"a/b":[3],"日本":{"1":2}}`},
		{`"text"`, `"more"`},
		{`{"m":{` + keys(60, 0) + `}}`, `{"m":{` + keys(5, 100) + `}}`, `{"m":{` + keys(4, 200) + `}}`, `{"m":{` + keys(3, 300) + `}}`,
			`{"m":{` + keys(2, 400) + `}}`, `{"m":{}}`},
		{`{"blob":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v","opt":1}`,
			`{"blob":"MDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5f"}`},
	}
	dir := t.TempDir()
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n")
	for i := range sets {
		fmt.Fprintf(&main, "\ts%d \"x/s%d\"\n", i, i)
	}
	main.WriteString(")\n\nfunc try[T any](doc string) {\n\tvar v T\n\tif err := json.Unmarshal([]byte(doc), &v); err != nil " +
		"{\n\t\tpanic(err)\n\t}\n" +
		"\tout, err := json.Marshal(v)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tfmt.Println(string(out))\n}\n\nfunc main() {\n")
	files := map[string][]byte{"go.mod": []byte("module x\n\ngo 1.24\n")}
	for i, docs := range sets {
		name := fmt.Sprintf("s%d", i)
		typ, err := Derive(learn(t, docs...), name, "Doc")
		if err != nil {
			t.Fatal(err)
		}
		files[name+"/doc.go"] = typ.Source
		if lost := typ.Lost(texts(docs...)); len(lost) > 0 {
			t.Errorf("%s: %q", name, lost)
		}
		for _, d := range docs {
			fmt.Fprintf(&main, "\ttry[%s.Doc](%q)\n", name, d)
		}
	}
	files["main.go"] = []byte(main.String() + "}\n")
	for name, data := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, docs := range sets {
		for _, d := range docs {
			if len(lines) == 0 {
				t.Fatal("too few documents came back")
			}
			if same, path := fidelity.SameJSON([]byte(d), []byte(lines[0])); !same {
				t.Errorf("%.80s came back as %.80s: %s", d, lines[0], path)
			}
			lines = lines[1:]
		}
	}
}

func keys(n, from int) string {
	var s []string
	for i := range n {
		s = append(s, fmt.Sprintf(`"key%d":%d`, from+i, i))
	}
	return strings.Join(s, ",")
}
