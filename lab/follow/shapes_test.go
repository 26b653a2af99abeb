package follow_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/follow"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// shape is a package in which the steps of a generator may go wrong, though they work for a type
// whose parts all stand in one file, exported and without parameters.
type shape struct {
	name, typ string
	value     string // as Go source
	doc       string // and as JSON
	files     map[string]string
	gomod     string            // go directive; 1.26.0 by default
	before    string            // shell commands that make the module
	byHand    map[string]string // codecs whose steps say what has to be written, and the words
	fails     string            // a codec that cannot carry the type, by a fault of its own
}

var shapes = []shape{
	{name: "unexported", typ: "receipt", value: `receipt{ID: "a", Lines: []line{{"x", 3}}}`, doc: `{"ID":"a","Lines":[{"Sku":"x","Qty":3}]}`,
		files: map[string]string{"receipt.go": "package shop\n\ntype receipt struct {\n\tID string\n\tLines []line\n}\n\ntype line " +
			"struct {\n\tSku string\n\tQty int\n}\n"}},
	{name: "two files", typ: "Receipt", value: `Receipt{ID: "a", Lines: []Line{{"x", 3}}, State: 2}`,
		doc: `{"ID":"a","Lines":[{"Sku":"x","Qty":3}],"State":2}`,
		files: map[string]string{
			"receipt.go": "package shop\n\ntype Receipt struct {\n\tID string\n\tLines []Line\n\tState State\n}\n",
			"line.go":    "package shop\n\ntype State int\n\ntype Line struct {\n\tSku string\n\tQty int\n}\n"}},
	{name: "generic part", typ: "Receipt", value: `Receipt{ID: "a", Lines: Rows[Line]{Rows: []Line{{"x", 3}}}}`,
		doc: `{"ID":"a","Lines":{"Rows":[{"Sku":"x","Qty":3}]}}`,
		files: map[string]string{
			"receipt.go": "package shop\n\ntype Receipt struct {\n\tID string\n\tLines Rows[Line]\n}\n\ntype Line struct {\n\tSku " +
				"string\n\tQty int\n}\n",
			"rows.go": "package shop\n\ntype Rows[T any] struct{ Rows []T }\n"},
		byHand: map[string]string{"msgp": "RTFor"}},
	{name: "generic neighbour", typ: "Receipt", value: `Receipt{ID: "a"}`, doc: `{"ID":"a"}`,
		files: map[string]string{"receipt.go": "package shop\n\ntype Receipt struct{ ID string }\n\ntype Rows[T any] struct{ Rows []T }\n"},
		byHand: map[string]string{"msgp": "generic types in receipt.go", "easyjson": "generic types in receipt.go",
			"ffjson": "generic types in receipt.go"}},
	{name: "other package", typ: "Receipt", value: `Receipt{ID: "a", Line: model.Line{Sku: "x"}}`,
		doc: `{"ID":"a","Line":{"Sku":"x","Qty":0}}`,
		files: map[string]string{
			"receipt.go":    "package shop\n\nimport \"example.org/shop/model\"\n\ntype Receipt struct {\n\tID string\n\tLine model.Line\n}\n",
			"model/line.go": "package model\n\ntype Line struct {\n\tSku string\n\tQty int\n}\n"},
		byHand: map[string]string{"msgp": "model.Line"}},
	{name: "standard library", typ: "Receipt", value: `Receipt{At: time.Month(3), Raw: json.RawMessage("1"), Took: 5, IP: ` +
		`netip.MustParseAddr("10.0.0.1")}`,
		doc: `{"At":3,"Raw":1,"Took":5,"IP":"10.0.0.1"}`,
		files: map[string]string{"receipt.go": "package shop\n\nimport " +
			"(\n\t\"encoding/json\"\n\t\"net/netip\"\n\t\"time\"\n)\n\ntype Receipt struct {\n\tAt time.Month\n\tRaw " +
			"json.RawMessage\n\tTook time.Duration\n\tIP netip.Addr\n}\n"}},
	{name: "struct tags", typ: "Receipt", value: `Receipt{ID: "a", Total: 3}`, doc: `{"id":"a","total":3}`,
		files: map[string]string{"receipt.go": "package shop\n\ntype Receipt struct {\n\tID string `json:\"id\"`\n\tTotal int " +
			"`json:\"total,omitempty\"`\n\tNote string `json:\"note,omitempty\"`\n\tSecret string `json:\"-\"`\n}\n"}},
	{name: "numbers as keys", typ: "Receipt", value: `Receipt{Prices: map[int]string{3: "x"}}`, doc: `{"Prices":{"3":"x"}}`, fails: "ffjson",
		files: map[string]string{"receipt.go": "package shop\n\ntype Receipt struct{ Prices map[int]string }\n"}},
	{name: "big numbers", typ: "Receipt", value: `Receipt{Total: big.NewInt(7)}`, doc: `{"Total":7}`,
		files:  map[string]string{"receipt.go": "package shop\n\nimport \"math/big\"\n\ntype Receipt struct{ Total *big.Int }\n"},
		byHand: map[string]string{"msgp": "big.Int"}},
	{name: "any", typ: "Receipt", value: `Receipt{Extra: map[string]any{"a": "b"}}`, doc: `{"Extra":{"a":"b"}}`,
		files: map[string]string{"receipt.go": "package shop\n\ntype Receipt struct{ Extra map[string]any }\n"}},
	{name: "old go directive", typ: "Receipt", gomod: "1.18", value: `Receipt{Names: map[string]int{"a": 1}}`, doc: `{"Names":{"a":1}}`,
		files: map[string]string{"receipt.go": "package shop\n\ntype Receipt struct{ Names map[string]int }\n"}},
	{name: "another generator", typ: "Receipt", value: `Receipt{ID: "a"}`, doc: `{"ID":"a"}`,
		files: map[string]string{
			"receipt.go": "package shop\n\n//go:generate a-generator-that-is-not-installed\n\ntype Receipt struct{ ID string }\n"}},
	{name: "build constraint", typ: "Receipt", gomod: "1.16", value: `Receipt{ID: "a"}`, doc: `{"ID":"a"}`,
		files: map[string]string{"receipt.go": "//go:build !plan9\n// +build !plan9\n\npackage shop\n\ntype Receipt struct{ ID string }\n"}},
	{name: "vendor folder", typ: "Receipt", value: `Receipt{ID: "a"}`, doc: `{"ID":"a"}`, before: "go get golang.org/x/mod@MOD\ngo mod vendor",
		files: map[string]string{"receipt.go": "package shop\n\nimport _ \"golang.org/x/mod/semver\"\n\ntype Receipt struct{ ID string }\n"}},
}

// generators are the codecs whose steps run a generator.
var generators = []string{"msgp", "easyjson", "ffjson", "fxjson", "zmy"}

// TestAdviceOfShapes: for every shape, the steps of each codec make code that compiles, carries a
// value, and writes as many bytes of it as the measured code did. Or they say what has to be
// written by hand.
func TestAdviceOfShapes(t *testing.T) {
	longtest.Only(t, "fetches modules and builds generators")
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", "golang.org/x/mod").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range shapes {
		t.Run(c.name, func(t *testing.T) {
			s := c.scratch(t, strings.TrimSpace(string(version)))
			root, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			doc := filepath.Join(t.TempDir(), "doc.json")
			if err := os.WriteFile(doc, []byte(c.doc), 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := lab.Run(t.Context(), lab.Options{Dir: s.dir, Package: ".", Type: c.typ, Codecs: generators, Seed: 1, Sample: doc,
				Budget:  time.Second,
				Runtime: root, Table: table.All(), Out: filepath.Join(t.TempDir(), "out"), AllowFallback: true, Env: []string{"GOWORK=off"}}, quiet{t})
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range r.Contenders {
				if slices.Contains(generators, k.Name) {
					t.Run(k.Name, func(t *testing.T) { c.follow(t, c.scratch(t, strings.TrimSpace(string(version))), r, k) })
				}
			}
		})
	}
}

// scratch is a module of the shape.
func (c *shape) scratch(t *testing.T, version string) *scratch {
	t.Helper()
	s := newScratch(t)
	s.remove("order.go", "page.go")
	if c.gomod != "" {
		s.write("go.mod", "module example.org/shop\n\ngo "+c.gomod+"\n")
	}
	for name, text := range c.files {
		s.write(name, text)
	}
	if c.before != "" {
		all := []run.Step{{Kind: run.StepShell, Code: strings.ReplaceAll(c.before, "MOD", version)}}
		if err := follow.Steps(t.Context(), s.dir, s.env, all); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (c *shape) follow(t *testing.T, s *scratch, r *run.Run, k *run.Contender) {
	if k.Status == run.StatusSkipped || k.Name == c.fails {
		t.Skip(lab.Sentence(k))
	}
	if k.Status != run.StatusMeasured {
		t.Fatal(lab.Sentence(k))
	}
	steps := stats.Steps(r, k.Name)
	words := c.byHand[k.Name]
	if words == "" {
		s.size = int(k.Sizes.Mean)
		s.follow(t.Context(), steps, c.typ, c.value)
		return
	}
	if _, ok := follow.ReadCalls(steps); ok || !handed(steps, words) {
		t.Errorf("the steps do not say that %q has to be written by hand: %+v", words, steps)
	}
}

// handed reports a step by hand that has the words.
func handed(steps []run.Step, words string) bool {
	for _, s := range steps {
		if s.Kind == run.StepHand && strings.Contains(s.Do, words) {
			return true
		}
	}
	return false
}
