package adopt

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// easyModule is a module of two packages with code of easyjson: types of one have fields of the other.
func easyModule(change func(files map[string]string)) map[string]string {
	files := map[string]string{"item/item.go": `// Package item has items.
package item

//go:generate go run github.com/mailru/easyjson/easyjson@v0.9.2 -all item.go

// Item is a line of an order.
type Item struct {
	SKU    string  ` + "`json:\"sku\"`" + `
	Weight float64 ` + "`json:\"weight\"`" + `
	Tags   map[string]string ` + "`json:\"tags,omitempty\"`" + `
}

// Kinds of items.
type Kinds []string
`, "order.go": `package shop

import (
	"encoding/json"

	"github.com/mailru/easyjson"

	"example.org/shop/item"
)

//go:generate go run github.com/mailru/easyjson/easyjson@v0.9.2 order.go

// Order is what a customer has ordered.
//
//easyjson:json
type Order struct {
	ID    string      ` + "`json:\"id\"`" + `
	Items []item.Item ` + "`json:\"items\"`" + `
	Count int64
}

var _ json.Marshaler = (*Order)(nil)

// Page has no generated code.
type Page struct {
	Title string
	order Order
}

func (o *Order) Bytes() ([]byte, error)    { return easyjson.Marshal(o) }
func Read(b []byte) (o Order, err error)   { return o, easyjson.Unmarshal(b, &o) }
func Std(o Order) ([]byte, error)          { return json.Marshal(o) }
func (p *Page) Bytes() ([]byte, error)     { return json.Marshal(p) }
`, "order_test.go": `package shop

import (
	"testing"

	"example.org/shop/item"
)

func TestOrder(t *testing.T) {
	o := Order{ID: "a", Items: []item.Item{{SKU: "b", Weight: 1234567}}, Count: 7}
	b, err := o.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(b)
	if err != nil || back.Items[0] .Weight != 1234567 || back.Count != 7 {
		t.Fatal(back, err)
	}
	if b, err := Std(o); err != nil || len(b) == 0 {
		t.Fatal(err)
	}
}
`}
	if change != nil {
		change(files)
	}
	return files
}

// easyAdopted writes a module, runs easyjson's own generator in it, and adopts fxjson. The second
// result is the module's folder. Files in gone are removed once the generator has run.
func easyAdopted(t *testing.T, files map[string]string, gone ...string) (*Result, string) {
	t.Helper()
	if testing.Short() {
		t.Skip("fetches easyjson, and compiles programs into a module")
	}
	t.Setenv("GOWORK", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module example.org/shop\n\ngo 1.26.0\n")
	for name, text := range files {
		formatted, err := format.Source([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, string(formatted))
	}
	for _, args := range [][]string{{"get", "-tool", "github.com/mailru/easyjson/easyjson@v0.9.2"}, {"generate", "./..."}, {"mod", "tidy"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, out)
		}
	}
	for _, name := range gone {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Run(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	return r, dir
}

// TestEasyjson replaces code that easyjson's own generator has written, in both packages at once.
func TestEasyjson(t *testing.T) {
	r, dir := easyAdopted(t, easyModule(nil))
	var text bytes.Buffer
	r.Text(&text, 140)
	t.Log(text.String())
	for _, want := range []string{
		"4 sites change to fxjson", "easyjson.Marshal(*shop.Order)    fxjson.Marshal", "Order, ", "with documents of easyjson",
		"item/item.go: the bytes change, the values do not, in 64 drawn and ",
		"checked: 2 of 2 packages: each builds, vets and passes its tests after the change",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for path, gone := range map[string]bool{"order_easyjson.go": true, "item/item_easyjson.go": true, "item/testdata/fxjson/Item.jsonl": false,
		"testdata/fxjson/Order.jsonl": false} {
		if c := r.ByPath(path); c == nil || (c.After == nil) != gone {
			t.Errorf("%s: %+v", path, c)
		}
	}
	order, mod := string(r.ByPath("order.go").After), string(r.ByPath("go.mod").After)
	if strings.Contains(order, "easyjson") || strings.Contains(order, "//\n") || strings.Contains(mod, "easyjson") {
		t.Errorf("easyjson is left:\n%s\n%s", order, mod)
	}
	if c := r.ByPath("fxjson_adopt_test.go"); c == nil || !bytes.Contains(c.After, []byte("adoptedFxjson[Order]")) ||
		!bytes.Contains(c.After, []byte("adoptedFxjson[Page]")) {
		t.Errorf("the package's test: %+v", c)
	}
	for _, c := range r.Changes {
		if c.After != nil && !bytes.Contains(c.After, []byte("fxjson")) && !strings.Contains(c.Path, "testdata") && c.Path != "go.sum" {
			t.Errorf("%s", c.Path)
		}
	}
	before := hashes(t, dir)
	if err := Apply(r, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	generate := exec.Command("go", "generate", "./...")
	generate.Dir = dir
	if out, err := generate.CombinedOutput(); err != nil {
		t.Errorf("go generate: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "order_easyjson.go")); err == nil {
		t.Error("the file of easyjson is there again")
	}
	if err := Undo(dir, "fxjson"); err != nil {
		t.Fatal(err)
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("undo: %s", differing(before, after))
	}
	easyStays(t, dir)
}

// easyStays: one thing that fxjson has not makes all of easyjson stay, with the place.
func easyStays(t *testing.T, dir string) {
	for name, c := range map[string]struct{ file, from, to, want string }{
		"flag": {"item/item.go", "easyjson@v0.9.2 -all", "easyjson@v0.9.2 -snake_case -all",
			"item/item.go:4: fxjson has no flag for -snake_case"},
		"line": {"order.go", "//go:generate go run github.com/mailru/easyjson/easyjson@v0.9.2 order.go",
			`//go:generate sh -c "easyjson order.go && date"`, "order.go:11: the line does more than to run easyjson"},
		"required": {"item/item_easyjson.go", "package item", "package item\n\n// key is required\"",
			"item/item_easyjson.go:5: a field is required: fxjson has the struct tag"},
		"unknown": {"item/item_easyjson.go", "package item", "package item\n\n// Reason: \"unknown field\"",
			"item/item_easyjson.go:5: members without a field are errors"},
		"embedded": {"order_easyjson.go", "package shop", "package shop\n\n/*\n\tout.Base = new(Base)\n*/",
			"order_easyjson.go:6: an embedded pointer is set"},
		"direct": {"order.go", "return json.Marshal(o)", "return o.MarshalJSON()", "order.go:32: easyjson's MarshalJSON escapes"},
		"own": {"order.go", "func Read", "func (o Order) MarshalText() ([]byte, error) { return nil, nil }\n\nfunc Read",
			"order.go:31: fxjson calls the method MarshalText"},
		"open": {"order.go", "return easyjson.Marshal(o)", "var v easyjson.Marshaler = o\n\treturn easyjson.Marshal(v)",
			"order.go:30: easyjson.Marshaler: fxjson has nothing in its place"},
		"hash": {"order.go", "return easyjson.Marshal(o)", "b, err := easyjson.Marshal(o)\n\tsum := sha256.Sum256(b)\n\treturn sum[:], err",
			"order.go:31: easyjson.Marshal: bytes matter"},
		"std hash": {"order.go", "return json.Marshal(o)", "b, err := json.Marshal(o)\n\tsum := sha256.Sum256(b)\n\treturn sum[:], err",
			"order.go:33: json.Marshal: bytes matter"},
		"left out": {"order_windows.go", "", "package shop\n\nimport \"github.com/mailru/easyjson\"\n\nvar _ = easyjson.Marshal\n",
			"order_windows.go:3: the file is left out of this build"},
		"test only": {"check/x_test.go", "", "package check\n\nimport \"github.com/mailru/easyjson\"\n\nvar _ = easyjson.Marshal\n",
			"check/x_test.go:3: a test calls easyjson"},
		"writer": {"order.go", "return easyjson.Marshal(o)",
			"var b bytes.Buffer\n\t_, err := easyjson.MarshalToWriter(o, &b)\n\treturn b.Bytes(), err",
			"order.go:32: easyjson.MarshalToWriter: fxjson has nothing in its place"},
		"value": {"order.go", "return easyjson.Marshal(o)", "write := easyjson.Marshal\n\treturn write(o)",
			"order.go:30: easyjson.Marshal: it is used as a value"},
		"method": {"order.go", "return json.Marshal(o)", "w := jwriter.Writer{}\n\to.MarshalEasyJSON(&w)\n\treturn w.BuildBytes()",
			"fxjson has nothing in the place of github.com/mailru/easyjson/jwriter"},
		"test":  {"order_test.go", "b, err := o.Bytes()", "b, err := easyjson.Marshal(o)", "order_test.go:4: a test calls easyjson"},
		"build": {"item/item.go", "// Package", "//go:build unix\n\n// Package", "item/item.go: the file of Item belongs to some builds only"},
	} {
		t.Run(name, func(t *testing.T) {
			name := filepath.Join(dir, c.file)
			old, err := readFile(name)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := os.WriteFile(name, old, 0o644); old == nil {
					err = os.Remove(name)
					if err != nil {
						t.Fatal(err)
					}
				}
			}()
			if old == nil {
				write(t, dir, c.file, "")
			}
			text := strings.Replace(string(old), c.from, c.to, 1)
			for pkg, path := range map[string]string{"bytes.": "bytes", "sha256.": "crypto/sha256", "jwriter.": "github.com/mailru/easyjson/jwriter",
				"easyjson.Marshal": "github.com/mailru/easyjson"} {
				if strings.Contains(text, pkg) && !strings.Contains(text, `"`+path+`"`) {
					text = strings.Replace(text, "import (\n", "import (\n\t\""+path+"\"\n", 1)
				}
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			o := options(t, dir)
			o.Patterns = []string{"./..."}
			pl, err := find(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			tr, err := newTree(pl.dir, "")
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			j := &job{ctx: t.Context(), o: &o, t: tr, pl: pl, r: &Result{}}
			files, err := j.uses()
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, f := range files {
				for _, u := range f.uses {
					if u.codec.path != easyPath {
						continue
					}
					if found++; !u.stays() || len(u.edits) > 0 {
						t.Errorf("%+v changes", u.site)
					}
				}
			}
			if found < 2 || !strings.HasPrefix(j.easy.why, "easyjson goes from a whole module or stays: ") || !strings.Contains(j.easy.why, c.want) {
				t.Errorf("%d uses stay because of %q", found, j.easy.why)
			}
		})
	}
}

// TestCompareEasy: the kinds of differences between what two codecs write.
func TestCompareEasy(t *testing.T) {
	docs := func(list ...string) (out []easyDoc) {
		for _, doc := range list {
			name, text, _ := strings.Cut(doc, "|")
			d := easyDoc{Name: name, Doc: []byte(text)}
			if err, ok := strings.CutPrefix(text, "!"); ok {
				d = easyDoc{Name: name, Err: err}
			}
			out = append(out, d)
		}
		return out
	}
	for _, c := range []struct {
		before, after []easyDoc
		want, golden  string
	}{
		{docs("|1", "nil|null"), docs("|1", "nil|null"), "easyjson and fxjson write the same bytes for 1 drawn and 1 extreme values of T", "1\n"},
		{docs("|[1e+06]", "|[2]"), docs("|[1000000]", "|[2]"), "the bytes change, the values do not, in 2 drawn and 0 extreme values of T: " +
			"easyjson writes [1e+06], fxjson [1000000]", "[2]\n"},
		{docs(`|{"a":1,"b":[2]}`), docs(`|{"b":[2],"a":1}`), "the bytes change, the values do not, ", ""},
		{docs("|1"), docs("|2"), "values of T change: easyjson writes 1, fxjson 2", "none"},
		{docs(`|{"a":1,"a":2}`), docs(`|{"a":2}`), "values of T change: ", "none"},
		{docs(`|[{"a":1},{"a":{"a":1,"b":"a"}}]`), docs(`|[{"a":1.0},{"a":{"b":"a","a":1}}]`), "the bytes change, the values do not, ", ""},
		{docs(`|{"a":1}`), docs(`|{"a":1,"b":null}`), "values of T change: ", "none"},
		{docs("|9007199254740993"), docs("|9007199254740992"), "values of T change: ", "none"},
		{docs("|-0.0"), docs("|0"), "values of T change: ", "none"},
		{docs(`|"1"`), docs("|1"), "values of T change: ", "none"},
		{docs("|1", "NaN in F|NaN"), docs("|1", "NaN in F|!no"), "easyjson and fxjson write the same bytes for 1 drawn and 0 extreme " +
			"values of T; extreme ones change, the first is NaN in F: easyjson writes NaN, where fxjson says: no", "1\n"},
		{docs("|1", "|!no"), docs("|1", "|!no"), "easyjson and fxjson write the same bytes for 1 drawn and 0 extreme values of T", "1\n"},
		{docs("|!no"), docs("|!no"), "whether fxjson writes other bytes than easyjson for T was not tried: ", ""},
	} {
		text, golden, ok := compareEasy("T", c.before, c.after)
		if !strings.HasPrefix(text, c.want) || ok != (c.golden != "none") || ok && string(golden) != c.golden {
			t.Errorf("got %q, %q, %v\nwant %q, %q", text, golden, ok, c.want, c.golden)
		}
	}
}

// TestEasyDirective: which lines are directives to easyjson, and with which arguments.
func TestEasyDirective(t *testing.T) {
	for line, want := range map[string]string{
		"//easyjson:json":                  "[] true",
		"//easyjson:skip":                  "[] true",
		"// easyjson:json":                 "[] true",
		"//go:generate easyjson -all a.go": "[-all a.go] true",
		"//go:generate go run -mod=mod github.com/mailru/easyjson/easyjson@v0.9.2 -pkg": "[-pkg] true",
		"//go:generate go tool easyjson a.go":                                           "[a.go] true",
		"//go:generate $GOPATH/bin/easyjson a.go":                                       "[a.go] true",
		"//go:generate -command easyjson go run github.com/mailru/easyjson/easyjson":    "[] false",
		"//go:generate go tool fxjson -type=T":                                          "[] false",
		"//go:generate go":                                                              "[] false",
	} {
		args, ok := easyDirective(line)
		if got := fmt.Sprint(args, ok); got != want {
			t.Errorf("%s: %s, not %s", line, got, want)
		}
	}
}

// TestUndirected: directives go with the empty line of a comment above them, and nothing else does.
func TestUndirected(t *testing.T) {
	for before, want := range map[string]string{
		"package a\n\n// T is.\n//\n//easyjson:json\ntype T struct{}\n":                "package a\n\n// T is.\ntype T struct{}\n",
		"package a\n\n////////\n//easyjson:json\ntype T struct{}\n":                    "package a\n\n////////\ntype T struct{}\n",
		"package a\r\n\r\n// T is.\r\n//\r\n//easyjson:json\r\ntype T struct{}\r\n":    "package a\r\n\r\n// T is.\r\ntype T struct{}\r\n",
		"package a\n\nconst x = `\n//easyjson:json\n`\n":                               "package a\n\nconst x = `\n//easyjson:json\n`\n",
		"package a\n\n//go:generate easyjson -all a.go\n\n// T is.\ntype T struct{}\n": "package a\n\n// T is.\ntype T struct{}\n",
	} {
		got, err := undirected([]byte(before))
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v, want %q", before, got, err, want)
		}
	}
}

// TestEasyjsonChanges: the code was generated with flags that no line names. Its values would change, so
// easyjson stays in all of the module, and the other sites change.
func TestEasyjsonChanges(t *testing.T) {
	r, dir := easyAdopted(t, map[string]string{"order.go": `package shop

import (
	"encoding/json"

	"github.com/mailru/easyjson"
)

type Order struct{ OrderID string }

type Page struct{ Title string }

func Write(o *Order) ([]byte, error) { return easyjson.Marshal(o) }
func Print(p *Page) ([]byte, error)  { return json.Marshal(p) }
`, "doc.go": "package shop\n\n//go:generate go tool easyjson -all -snake_case -no_std_marshalers order.go\n"}, "doc.go")
	for _, want := range []string{"values of Order change: easyjson writes ", `"order_id":`} {
		if len(r.Stay) != 1 || !strings.Contains(r.Stay[0].Why, want) {
			t.Errorf("%q is not the reason: %+v", want, r.Stay)
		}
	}
	if len(r.Sites) != 1 || r.Sites[0].Become != "fxjson.Marshal" || r.Sites[0].Type != "*shop.Page" {
		t.Errorf("sites: %+v", r.Sites)
	}
	if c := r.ByPath("order_easyjson.go"); c != nil {
		t.Errorf("%+v", c)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	after := r.ByPath("go.mod").After
	tool := []byte("tool (\n\tgithub.com/mailru/easyjson/easyjson")
	if err != nil || !strings.Contains(string(mod), "easyjson") || !bytes.Contains(after, tool) {
		t.Errorf("go.mod: %s", after)
	}
}
