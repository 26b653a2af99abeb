package profile_test

import (
	"fmt"
	"go/token"
	"math"
	"strings"
	"testing"

	"github.com/zmylab/zmy/scan/internal/proftest"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/site"
)

var (
	unmarshal = &site.Kind{Codec: "std-json", Func: "encoding/json.Unmarshal", Direction: site.Unmarshal, Value: 1, Format: "json"}
	encode    = &site.Kind{Codec: "std-json", Func: "(*encoding/json.Encoder).Encode", Direction: site.Marshal, Format: "json"}
	ginJSON   = &site.Kind{Codec: "std-json", Func: "(*github.com/gin-gonic/gin.Context).JSON", Direction: site.Marshal, Value: 1,
		Format: "json"}
	marshalVT = &site.Kind{Codec: "vtprotobuf", Func: "(*example.org/shop/pb.Order).MarshalVT", Direction: site.Marshal, Value: site.Receiver,
		Format: "protobuf"}

	program = profile.Program{Modules: []string{"example.org/shop"}, Depends: []string{"github.com/dep/one", "example.org/shop/nested"},
		Mains: []string{"cmd/serve"}}
)

func call(fn, file string, line int) site.Call {
	return site.Call{Pos: token.Position{Filename: file, Line: line}, Func: fn}
}

func at(k *site.Kind, pkg, fn, file string, line int, values ...site.Value) *site.Site {
	return &site.Site{Kind: k, Call: call(fn, file, line), Package: pkg, Values: values}
}

// text spells an attribution: a line for each place and for each codec elsewhere.
func text(a *profile.Attribution) string {
	var b strings.Builder
	n := func(w profile.Weight) int { return int(math.Round(w.Count())) }
	for _, p := range a.Places {
		name := "?"
		if p.Value != nil {
			name = p.Value.Name
		}
		fmt.Fprintf(&b, "%s:%d %s codec=%d own=%d stream=%d malloc=%d moved=%d\n", p.Site.Pos.Filename, p.Site.Pos.Line, name, n(p.Codec),
			n(p.Own),
			n(p.Stream), n(p.Malloc), n(p.Moved))
	}
	for _, e := range a.Elsewhere {
		fmt.Fprintf(&b, "%s %s %s %d\n", e.Where, e.Name, e.Format, n(e.Work))
	}
	fmt.Fprintf(&b, "collector=%d malloc=%d known=%d", n(a.Collector), n(a.Malloc), n(a.Known))
	return b.String()
}

func attribute(t *testing.T, sites []*site.Site, stacks ...proftest.Stack) *profile.Attribution {
	t.Helper()
	p, err := profile.Parse(proftest.CPU(t, 10, stacks...), "test", profile.CPU)
	if err != nil {
		t.Fatal(err)
	}
	return profile.Attribute(program, sites, p)
}

const (
	load   = "example.org/shop/store.(*DB).Load"
	loadAt = load + " /src/shop/store/db.go:20"
	std    = "encoding/json.(*decodeState).object /go/src/encoding/json/decode.go:700"
	stdTop = "encoding/json.Unmarshal /go/src/encoding/json/decode.go:100"
	main   = "main.main /src/shop/cmd/serve/main.go:9"
)

func TestAttribute(t *testing.T) {
	device := site.Value{Name: "*example.org/shop/model.Device"}
	db := at(unmarshal, "example.org/shop/store", load, "store/db.go", 20, device)
	for _, c := range []struct {
		name   string
		sites  []*site.Site
		stacks []proftest.Stack
		want   string
	}{
		{"a call", []*site.Site{db}, []proftest.Stack{{N: 7, Frames: []string{std, stdTop, loadAt, main}}, {N: 3, Frames: []string{main}}},
			"store/db.go:20 *example.org/shop/model.Device codec=7 own=0 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=10"},
		{"trimmed path", []*site.Site{db}, []proftest.Stack{{N: 2, Frames: []string{stdTop, load + " example.org/shop/store/db.go:20"}}},
			"store/db.go:20 *example.org/shop/model.Device codec=2 own=0 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=2"},
		{"inlined caller", []*site.Site{db}, []proftest.Stack{{N: 2, Frames: []string{stdTop,
			loadAt + " < example.org/shop/store.Get /src/shop/store/get.go:3"}}},
			"store/db.go:20 *example.org/shop/model.Device codec=2 own=0 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=2"},
		{"another call of the same line is no serialization", []*site.Site{db},
			[]proftest.Stack{{N: 4, Frames: []string{"os.ReadFile /go/src/os/file.go:1", loadAt}}}, "collector=0 malloc=0 known=4"},
		{"older binary: the line moved", []*site.Site{db}, []proftest.Stack{{N: 5, Frames: []string{stdTop, load + " /src/shop/store/db.go:14"}}},
			"store/db.go:20 *example.org/shop/model.Device codec=5 own=0 stream=0 malloc=0 moved=5\ncollector=0 malloc=0 known=5"},
		{"older binary: the nearest of two calls", []*site.Site{db, at(unmarshal, "example.org/shop/store", load, "store/db.go", 40, device)},
			[]proftest.Stack{{N: 5, Frames: []string{stdTop, load + " /src/shop/store/db.go:33"}}},
			"store/db.go:40 *example.org/shop/model.Device codec=5 own=0 stream=0 malloc=0 moved=5\ncollector=0 malloc=0 known=5"},
		{"same file name in another package", []*site.Site{db},
			[]proftest.Stack{{N: 5, Frames: []string{stdTop, "example.org/shop/cache.Load /src/shop/cache/db.go:20"}}},
			"program example.org/shop/cache.Load json 5\ncollector=0 malloc=0 known=5"},
		{"methods of types apart", []*site.Site{db}, []proftest.Stack{
			{N: 3, Frames: []string{"strconv.ParseInt /go/src/strconv/atoi.go:1",
				"example.org/shop/model.(*Money).UnmarshalJSON /src/shop/model/money.go:5", std, stdTop, loadAt}},
			{N: 2, Frames: []string{"time.(*Time).UnmarshalJSON /go/src/time/time.go:5", std, stdTop, loadAt}}},
			"store/db.go:20 *example.org/shop/model.Device codec=2 own=3 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=5"},
		{"a site inside of a method counts for itself", []*site.Site{db, at(unmarshal, "example.org/shop/model",
			"example.org/shop/model.(*Money).UnmarshalJSON", "model/money.go", 5)},
			[]proftest.Stack{{N: 3, Frames: []string{std, stdTop, "example.org/shop/model.(*Money).UnmarshalJSON /src/shop/model/money.go:5", std,
				stdTop, loadAt}}},
			"model/money.go:5 ? codec=3 own=0 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=3"},
		{"streams", []*site.Site{at(encode, "example.org/shop/api", "example.org/shop/api.List", "api/list.go", 8)}, []proftest.Stack{
			{N: 6, Frames: []string{"syscall.write /s.go:1", "net/http.(*response).Write /go/src/net/http/server.go:1",
				"encoding/json.(*Encoder).Encode /e.go:2", "example.org/shop/api.List /src/shop/api/list.go:8"}},
			{N: 4, Frames: []string{"bytes.(*Buffer).Write /b.go:1", "encoding/json.(*encodeState).string /e.go:3",
				"encoding/json.(*Encoder).Encode /e.go:2", "example.org/shop/api.List /src/shop/api/list.go:8"}}},
			"api/list.go:8 ? codec=4 own=0 stream=6 malloc=0 moved=0\ncollector=0 malloc=0 known=10"},
		{"a framework's own work is no serialization", []*site.Site{at(ginJSON, "example.org/shop/api", "example.org/shop/api.Get",
			"api/get.go", 8)}, []proftest.Stack{
			{N: 6, Frames: []string{"github.com/gin-gonic/gin.(*Context).Render /g.go:1", "github.com/gin-gonic/gin.(*Context).JSON /g.go:2",
				"example.org/shop/api.Get /src/shop/api/get.go:8"}},
			{N: 4, Frames: []string{"encoding/json.Marshal /e.go:3", "github.com/gin-gonic/gin.(*Context).Render /g.go:1",
				"github.com/gin-gonic/gin.(*Context).JSON /g.go:2", "example.org/shop/api.Get /src/shop/api/get.go:8"}}},
			"api/get.go:8 ? codec=4 own=0 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=10"},
		{"generated method", []*site.Site{at(marshalVT, "example.org/shop/api", "example.org/shop/api.Get", "api/get.go", 9)}, []proftest.Stack{
			{N: 4, Frames: []string{"example.org/shop/pb.(*Item).MarshalToSizedBufferVT /src/shop/pb/o_vtproto.pb.go:9",
				"example.org/shop/pb.(*Order).MarshalVT /src/shop/pb/o_vtproto.pb.go:5", "example.org/shop/api.Get /src/shop/api/get.go:9"}}},
			"api/get.go:9 ? codec=4 own=0 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=4"},
		{"ZMY: its package and generated methods, but not the packages below it", []*site.Site{at(&site.Kind{Codec: "zmy",
			Func: "github.com/zmylab/zmy.Marshal", Direction: site.Marshal, Format: "zmy"}, "example.org/shop/api", "example.org/shop/api.Put",
			"api/put.go", 8)}, []proftest.Stack{
			{N: 3, Frames: []string{"example.org/shop/order.(*Order).AppendZMY /src/shop/order/order_zmy.go:3",
				"github.com/zmylab/zmy.Marshal /z.go:1", "example.org/shop/api.Put /src/shop/api/put.go:8"}},
			{N: 2, Frames: []string{"github.com/zmylab/zmy.Marshal /z.go:1", "example.org/shop/api.Put /src/shop/api/put.go:8"}},
			{N: 4, Frames: []string{"github.com/zmylab/zmy/nano.(*Server).ServeHTTP /n.go:1", main}}},
			"api/put.go:8 ? codec=5 own=0 stream=0 malloc=0 moved=0\ncollector=0 malloc=0 known=9"},
		{"JSON of Protocol Buffers", nil, []proftest.Stack{{N: 2, Frames: []string{
			"google.golang.org/protobuf/encoding/protojson.Format /p.go:1", "github.com/dep/one/client.Get /d.go:5", main}}},
			"dependency github.com/dep/one json 2\ncollector=0 malloc=0 known=2"},
		{"the collector outside of goroutines", []*site.Site{db}, []proftest.Stack{{N: 4, Frames: []string{
			"runtime.memclrNoHeapPointers /r.s:1", "runtime._GC /r.go:1"}}, {N: 1, Frames: []string{stdTop, loadAt}}},
			"store/db.go:20 *example.org/shop/model.Device codec=1 own=0 stream=0 malloc=0 moved=0\ncollector=4 malloc=0 known=1"},
		{"dependencies, and the standard library", nil, []proftest.Stack{
			{N: 4, Frames: []string{std, stdTop, "github.com/dep/one/client.Get /d.go:5", "example.org/shop/api.Get /src/shop/api/get.go:8"}},
			{N: 2, Frames: []string{"encoding/json.Marshal /e.go:3", "log/slog.appendJSONValue /l.go:1",
				"example.org/shop/api.Get /src/shop/api/get.go:8"}},
			{N: 1, Frames: []string{"encoding/json.Marshal /e.go:3", "example.org/shop/nested.F /n.go:1"}}},
			"dependency github.com/dep/one json 4\nstandard library log/slog json 2\ndependency example.org/shop/nested json 1\ncollector=0 malloc=0 known=6"},
		{"protobuf's getters are no codec", nil, []proftest.Stack{
			{N: 4, Frames: []string{"google.golang.org/protobuf/types/known/timestamppb.(*Timestamp).AsTime /t.go:1",
				"example.org/shop/api.Get /src/shop/api/get.go:8"}}},
			"collector=0 malloc=0 known=4"},
		{"collector and allocator", []*site.Site{db}, []proftest.Stack{
			{N: 9, Frames: []string{"runtime.scanobject /r.go:1", "runtime.gcDrain /r.go:2", "runtime.gcBgMarkWorker /r.go:3"}},
			{N: 2, Frames: []string{"runtime.gcAssistAlloc /r.go:2", "runtime.mallocgc /r.go:3", std, stdTop, loadAt}},
			{N: 5, Frames: []string{"runtime.nextFreeFast /r.go:2 < runtime.mallocgc /r.go:3", std, stdTop, loadAt}},
			{N: 5, Frames: []string{"runtime.mallocgc /r.go:3", "example.org/shop/api.Get /src/shop/api/get.go:8"}}},
			"store/db.go:20 *example.org/shop/model.Device codec=5 own=0 stream=0 malloc=5 moved=0\ncollector=11 malloc=10 known=12"},
		{"another command's main", []*site.Site{at(unmarshal, "example.org/shop/cmd/serve", "main.load", "cmd/serve/load.go", 3, device)},
			[]proftest.Stack{
				{N: 4, Frames: []string{stdTop, "main.load /src/shop/cmd/serve/load.go:3"}},
				{N: 3, Frames: []string{stdTop, "main.load /src/other/load.go:3"}}},
			"cmd/serve/load.go:3 *example.org/shop/model.Device codec=4 own=0 stream=0 malloc=0 moved=0\ndependency main json 3\ncollector=0 malloc=0 known=4"},
		{"generic function", []*site.Site{at(unmarshal, "example.org/shop/api", "example.org/shop/api.Read[...]", "api/read.go", 8, device)},
			[]proftest.Stack{
				{N: 4, Frames: []string{stdTop, "example.org/shop/api.Read[go.shape.struct_{_ID_int}] /src/shop/api/read.go:7"}}},
			"api/read.go:8 *example.org/shop/model.Device codec=4 own=0 stream=0 malloc=0 moved=4\ncollector=0 malloc=0 known=4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text(attribute(t, c.sites, c.stacks...)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestWrappers: the callers of a wrapper tell the value.
func TestWrappers(t *testing.T) {
	wrapper := "example.org/shop/api.write"
	get, list := call("example.org/shop/api.Get", "api/get.go", 8), call("example.org/shop/api.List", "api/list.go", 9)
	helper := call("example.org/shop/api.ok", "api/ok.go", 4)
	s := at(encode, "example.org/shop/api", wrapper, "api/write.go", 30, site.Value{Name: "Order", Via: []site.Call{get}},
		site.Value{Name: "Page", Via: []site.Call{list, helper}}, site.Value{Name: "Error", Via: []site.Call{helper}})
	top := []string{"encoding/json.(*Encoder).Encode /e.go:2", wrapper + " /src/shop/api/write.go:30"}
	stack := func(n int64, frames ...string) proftest.Stack {
		return proftest.Stack{N: n, Frames: append(top[:2:2], frames...)}
	}
	a := attribute(t, []*site.Site{s},
		stack(5, "example.org/shop/api.Get /src/shop/api/get.go:8"),
		stack(4, "example.org/shop/api.ok /src/shop/api/ok.go:4", "example.org/shop/api.List /src/shop/api/list.go:9"),
		stack(3, "example.org/shop/api.ok /src/shop/api/ok.go:4", "example.org/shop/api.Other /src/shop/api/other.go:9"),
		stack(2, "example.org/shop/api.New /src/shop/api/new.go:4"))
	want := `api/write.go:30 Order codec=5 own=0 stream=0 malloc=0 moved=0
api/write.go:30 Page codec=4 own=0 stream=0 malloc=0 moved=0
api/write.go:30 Error codec=3 own=0 stream=0 malloc=0 moved=0
api/write.go:30 ? codec=2 own=0 stream=0 malloc=0 moved=0
collector=0 malloc=0 known=14`
	if got := text(a); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFlame: the graph has serialization only, below the functions that call it.
func TestFlame(t *testing.T) {
	db := at(unmarshal, "example.org/shop/store", load, "store/db.go", 20)
	a := attribute(t, []*site.Site{db}, proftest.Stack{N: 7, Frames: []string{std, stdTop, loadAt, main}},
		proftest.Stack{N: 2, Frames: []string{stdTop, loadAt, main}}, proftest.Stack{N: 90, Frames: []string{main}})
	var b strings.Builder
	var walk func(n *profile.Node, depth int)
	walk = func(n *profile.Node, depth int) {
		fmt.Fprintf(&b, "%s%s %.0f\n", strings.Repeat(" ", depth), n.Name, n.Value/proftest.Period)
		for _, c := range n.Calls {
			walk(c, depth+1)
		}
	}
	walk(a.Flame, 0)
	want := "serialization 9\n " + load + " 9\n  encoding/json.Unmarshal 9\n   encoding/json.(*decodeState).object 7\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

// TestSymbol: names of go/types as the linker spells them.
func TestSymbol(t *testing.T) {
	for _, c := range [][2]string{
		{"encoding/json.Unmarshal", "encoding/json.Unmarshal"},
		{"(*encoding/json.Encoder).Encode", "encoding/json.(*Encoder).Encode"},
		{"(github.com/json-iterator/go.API).Marshal", "github.com/json-iterator/go.API.Marshal"},
		{"(*gopkg.in/yaml.v3.Decoder).Decode", "gopkg.in/yaml.v3.(*Decoder).Decode"},
		{"(*example.org/a.Box[T]).Put", "example.org/a.(*Box).Put"},
		{"(error).Error", "(error).Error"},
	} {
		if got := profile.Symbol(c[0]); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}
