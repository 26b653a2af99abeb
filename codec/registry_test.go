package codec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fake is a codec that does nothing but have a name and media types.
type fake struct {
	name  string
	media []string
	mark  int
}

func (f fake) Name() string              { return f.name }
func (f fake) MediaTypes() []string      { return f.media }
func (fake) Marshal(any) ([]byte, error) { return nil, nil }
func (fake) Unmarshal([]byte, any) error { return nil }

var (
	fakeJSON = fake{name: "json", media: []string{"application/json", "text/json"}}
	fakeZMY  = fake{name: "zmy", media: []string{"application/vnd.zmy"}}
	fakeFast = fake{name: "fast", media: []string{"application/json"}}
	fakeBare = fake{name: "bare"}
)

func nameOf(c Codec, err error) string {
	if err != nil {
		return "error"
	}
	return c.Name()
}

func TestLookup(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	for _, c := range []struct{ key, want string }{
		{"json", "json"}, {"zmy", "zmy"}, {"bare", "bare"}, {"JSON", "error"}, {"", "error"},
	} {
		if got := nameOf(r.Lookup(c.key)); got != c.want {
			t.Errorf("Lookup(%q) = %s, want %s", c.key, got, c.want)
		}
	}
	for _, c := range []struct{ key, want string }{
		{"application/json", "json"}, // the first to claim it
		{"text/json", "json"},
		{"Application/JSON; charset=utf-8", "json"},
		{" application/vnd.zmy ", "zmy"},
		{"application/xml", "error"},
		{"", "error"},
	} {
		if got := nameOf(r.ByMediaType(c.key)); got != c.want {
			t.Errorf("ByMediaType(%q) = %s, want %s", c.key, got, c.want)
		}
	}
	if got := r.Names(); !slices.Equal(got, []string{"json", "zmy", "fast", "bare"}) {
		t.Errorf("Names() = %v", got)
	}
}

type order struct{ ID string }

func TestFor(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast)
	if err := SetTypeFor[order](r, "zmy"); err != nil {
		t.Fatal(err)
	}
	o := order{}
	p := &o
	for _, c := range []struct {
		v    any
		want string
	}{{o, "zmy"}, {p, "zmy"}, {&p, "zmy"}, {"text", "json"}, {nil, "json"}, {(*order)(nil), "zmy"}} {
		if got := nameOf(r.For(c.v)); got != c.want {
			t.Errorf("For(%T) = %s, want %s", c.v, got, c.want)
		}
	}
	if err := r.SetDefault("fast"); err != nil {
		t.Fatal(err)
	}
	if got := nameOf(r.For("text")); got != "fast" {
		t.Errorf("For after SetDefault = %s", got)
	}
	// A pointer type means the same as its element.
	if err := r.SetType(reflect.TypeFor[**order](), "fast"); err != nil {
		t.Fatal(err)
	}
	if got := nameOf(r.For(o)); got != "fast" {
		t.Errorf("For after SetType = %s", got)
	}
}

func TestReplaceReachesEverything(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY)
	if err := SetTypeFor[order](r, "json"); err != nil {
		t.Fatal(err)
	}
	next := fakeJSON
	next.mark, next.media = 1, append(slices.Clone(next.media), "application/problem+json", "application/vnd.zmy")
	if err := r.Replace(next); err != nil {
		t.Fatal(err)
	}
	find := map[string]func() (Codec, error){
		"name":           func() (Codec, error) { return r.Lookup("json") },
		"media type":     func() (Codec, error) { return r.ByMediaType("text/json") },
		"new media type": func() (Codec, error) { return r.ByMediaType("application/problem+json") },
		"Go type":        func() (Codec, error) { return r.For(order{}) },
		"default":        func() (Codec, error) { return r.For(1) },
	}
	for by, f := range find {
		if c, err := f(); err != nil || c.(fake).mark != 1 {
			t.Errorf("by %s: %v, %v", by, c, err)
		}
	}
	if got := nameOf(r.ByMediaType("application/vnd.zmy")); got != "zmy" {
		t.Errorf("a media type was taken from its owner: %s", got)
	}
	if err := r.SetMediaType("application/vnd.zmy", "json"); err != nil {
		t.Fatal(err)
	}
	if got := nameOf(r.ByMediaType("application/vnd.zmy")); got != "json" {
		t.Errorf("SetMediaType left it with %s", got)
	}
}

func TestErrorsSayWhatIsThere(t *testing.T) {
	r := NewRegistry(fakeZMY, fakeJSON)
	var none Registry
	lookup := func(_ Codec, err error) error { return err }
	for _, c := range []struct {
		err  error
		is   error
		want string
	}{
		{lookup(r.Lookup("jsn")), ErrNotRegistered, `codec: codec "jsn" is not registered; registered: json, zmy`},
		{lookup(r.ByMediaType("text/xml")), ErrNotRegistered,
			`codec: media type "text/xml" is not registered; registered: application/json, application/vnd.zmy, text/json`},
		{lookup(none.For(1)), ErrNotRegistered, `codec: Go type "int" is not registered; nothing is registered`},
		{lookup(none.Lookup("x")), ErrNotRegistered, `codec: codec "x" is not registered; nothing is registered`},
		{r.Register(fakeJSON), ErrDuplicate, `codec: register "json": already registered; use Replace to exchange it`},
		{r.Replace(fakeBare), ErrNotRegistered, `codec: codec "bare" is not registered; registered: json, zmy`},
		{r.SetDefault("x"), ErrNotRegistered, `codec: codec "x" is not registered; registered: json, zmy`},
		{SetTypeFor[order](r, "x"), ErrNotRegistered, `codec: codec "x" is not registered; registered: json, zmy`},
		{r.SetMediaType("a/b", "x"), ErrNotRegistered, `codec: codec "x" is not registered; registered: json, zmy`},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("error %v\n want %s", c.err, c.want)
		}
		if !errors.Is(c.err, c.is) {
			t.Errorf("%v is not %v", c.err, c.is)
		}
	}
	// A refused change leaves everything as it was.
	if got := nameOf(r.For(1)); got != "zmy" {
		t.Errorf("default after refused changes: %s", got)
	}
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "already registered") {
			t.Errorf("NewRegistry with a duplicate: %s", p)
		}
	}()
	NewRegistry(fakeJSON, fakeJSON)
}

// Readers run while codecs are registered and exchanged: the race detector sees
// unlocked access, and each reader sees states that only grow.
func TestHotRegistration(t *testing.T) {
	r := NewRegistry(fakeJSON)
	const added = 64
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			seen := 0
			for {
				names := r.Names()
				if len(names) < seen {
					t.Errorf("%d names after %d", len(names), seen)
					return
				}
				seen = len(names)
				for _, n := range names {
					if got := nameOf(r.Lookup(n)); got != n {
						t.Errorf("%s is listed but not found", n)
						return
					}
				}
				if got := nameOf(r.For(order{})); got == "error" {
					t.Error("no codec for a type")
					return
				}
				if _, _, err := r.Negotiate("application/json"); err != nil {
					t.Error(err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		}()
	}
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Add(1)
		go func() {
			defer writers.Done()
			for i := range added / 2 {
				name := fmt.Sprintf("c%d-%d", w, i)
				if err := r.Register(fake{name: name, media: []string{"application/" + name}}); err != nil {
					t.Error(err)
				}
				if err := SetTypeFor[order](r, name); err != nil {
					t.Error(err)
				}
				if err := r.Replace(fakeJSON); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	writers.Wait()
	close(done)
	wg.Wait()
	if got := len(r.Names()); got != added+1 {
		t.Errorf("%d codecs, want %d: a write was lost", got, added+1)
	}
}

// Readers do not wait for a writer, however long it takes.
func TestReadersTakeNoLock(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY)
	r.mu.Lock()
	defer r.mu.Unlock()
	for by, err := range map[string]error{
		"name":       second(r.Lookup("zmy")),
		"media type": second(r.ByMediaType("text/json")),
		"Go type":    second(r.For(order{})),
		"header":     func() error { _, _, err := r.Negotiate("*/*"); return err }(),
	} {
		if err != nil {
			t.Errorf("by %s: %v", by, err)
		}
	}
	if len(r.Names()) != 2 || len(r.MediaTypes()) != 3 {
		t.Errorf("%v, %v", r.Names(), r.MediaTypes())
	}
}

func second(_ Codec, err error) error { return err }

// What a codec says of itself is taken as it is meant.
func TestOddCodecs(t *testing.T) {
	r := NewRegistry(fake{name: "odd", media: []string{"Application/ODD; v=1"}})
	if c, media, err := r.Negotiate("application/odd"); nameOf(c, err) != "odd" || media != "application/odd" {
		t.Errorf("%s as %s", nameOf(c, err), media)
	}
	if got := nameOf(r.ByMediaType("application/odd")); got != "odd" {
		t.Errorf("by media type: %s", got)
	}
	for _, c := range []Codec{nil, fake{}} {
		if err := r.Register(c); err == nil || !strings.Contains(err.Error(), "a codec needs a name") {
			t.Errorf("%T: %v", c, err)
		}
	}
}

func TestReadersDoNotAllocate(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY)
	if err := SetTypeFor[order](r, "zmy"); err != nil {
		t.Fatal(err)
	}
	v := any(&order{})
	if n := testing.AllocsPerRun(100, func() {
		_, _ = r.Lookup("zmy")
		_, _ = r.ByMediaType("application/json")
		_, _ = r.For(v)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkFor(b *testing.B) {
	r := NewRegistry(fakeJSON, fakeZMY)
	if err := SetTypeFor[order](r, "zmy"); err != nil {
		b.Fatal(err)
	}
	v := any(&order{})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := r.For(v); err != nil {
				b.Error(err)
			}
		}
	})
}
