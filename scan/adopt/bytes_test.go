package adopt

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// adopted adopts fxjson in a module with these files, which needs modules of others.
func adopted(t *testing.T, language string, files map[string]string, modules ...string) *Result {
	t.Helper()
	if testing.Short() {
		t.Skip("fetches libraries, and compiles a program into a module")
	}
	t.Setenv("GOWORK", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module example.org/shop\n\ngo "+language+"\n")
	for name, text := range files {
		write(t, dir, name, text)
	}
	for _, args := range [][]string{append([]string{"get"}, modules...), {"mod", "tidy"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, out)
		}
	}
	r, err := Run(t.Context(), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBytes writes drawn values by the codecs in use: the notes say whose bytes change.
func TestBytes(t *testing.T) {
	r := adopted(t, "1.26.0", map[string]string{"order.go": `package shop

import (
	"bytes"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
)

var fast = jsoniter.ConfigFastest

type Order struct {
	ID    string
	Price float64
	note  string
}

type Place struct{ Latitude, Longitude float64 }

type Stock map[string]int

type Shelf struct {
	Stock Stock
	Label string
}

// Money has a method by pointer: encoding/json calls it where a field can be addressed.
type Money struct{ cents int }

func (m *Money) MarshalJSON() ([]byte, error) { return []byte("\"free\""), nil }

type Invoice struct {
	GOLD  int
	Total Money
}

type Refused struct{ C chan int }

func max(a, b string) string { return a + b }

func Bill(i Invoice) ([]byte, error)      { return jsoniter.Marshal(i) }
func Send(i *Invoice) ([]byte, error)     { return jsoniter.Marshal(i) }
func (r *Refused) Write() ([]byte, error) { return goccy.Marshal(r) }

func (o *Order) Cut() ([]byte, error)   { return fast.Marshal(o) }
func (p *Place) Cut() ([]byte, error)   { return fast.Marshal(p) }
func (o *Order) Write() ([]byte, error) { return goccy.Marshal(o) }
func (o *Order) Read(b []byte) error    { return goccy.Unmarshal(b, o) }
func Any(s *Shelf) ([]byte, error)      { return sonic.Marshal(s) }
func Some(s *Shelf) ([]byte, error)     { return jsoniter.Marshal(s) }

func Stream(s *Shelf) (b bytes.Buffer, err error) {
	err = sonic.ConfigStd.NewEncoder(&b).Encode(s)
	return b, err
}
`, "order_test.go": `package shop

import "testing"

func TestWrite(t *testing.T) {
	if b, err := (&Order{ID: "a"}).Write(); err != nil || len(b) == 0 {
		t.Fatal(err)
	}
}
`}, "github.com/goccy/go-json@v0.12.0", "github.com/json-iterator/go@v1.1.12", "github.com/bytedance/sonic@v1.15.5")
	if len(r.Sites) < 6 {
		t.Errorf("sites: %+v\nstay: %+v", r.Sites, r.Stay)
	}
	for _, want := range []string{
		"the bytes change: jsoniter.Marshal writes {\"GOLD\":",
		"jsoniter.Marshal and fxjson write the same bytes for 64 drawn values and ",
		"whether goccy.Marshal writes other bytes than fxjson for Refused was not tried: no drawn value was written",
		"jsoniter.ConfigFastest.Marshal and fxjson write the same bytes for 64 drawn values of Order; extreme ones change, the first is ",
		"jsoniter.ConfigFastest.Marshal and fxjson write the same bytes for 64 drawn values of Place; extreme ones change, the first is ",
		"goccy.Marshal and fxjson write the same bytes for 64 drawn values",
		"sonic.Marshal and fxjson write the same bytes for 64 drawn values",
		"the bytes change, in the order of keys only: 64 drawn values",
		"sonic.ConfigStd.Marshal and fxjson write the same bytes for 64 drawn values",
	} {
		if !slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Pos.Filename == "order.go" && strings.HasPrefix(n.Text, want) }) {
			t.Errorf("no note %q", want)
		}
	}
	for _, n := range r.Notes {
		if t.Log(n.Pos, n.Text); !utf8.ValidString(n.Text) {
			t.Errorf("%q", n.Text)
		}
		if strings.HasPrefix(n.Text, "whether") && !strings.Contains(n.Text, "Refused") {
			t.Error(n.Text)
		}
	}
}

// TestBytesOfOldModule: the language version of the module is that of its go.mod. The change raises it, and
// what go vet reports for that alone is no fault of the change.
func TestBytesOfOldModule(t *testing.T) {
	r := adopted(t, "1.18", map[string]string{"old.go": `package old

import (
	"fmt"

	"github.com/json-iterator/go"
)

type Item struct{ SKU string }

func Write(i *Item) ([]byte, error) { return jsoniter.Marshal(i) }

func Log(text string) { fmt.Printf(text) }
`}, "github.com/json-iterator/go@v1.1.12")
	for _, want := range []string{
		"jsoniter.Marshal and fxjson write the same bytes for 64 drawn values of Item; extreme ones change, ",
		"with go 1.26.0, and without any other change, go vet has 1 report more, such as old.go:13:",
	} {
		if !slices.ContainsFunc(r.Notes, func(n Note) bool { return strings.HasPrefix(n.Text, want) }) {
			t.Errorf("no note %q: %+v", want, r.Notes)
		}
	}
	if len(r.Sites) != 1 {
		t.Errorf("%+v stay", r.Stay)
	}
}
