package fxjson_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// plainInterned is Interned without generated code.
type plainInterned jsontypes.Interned

// interned lists the strings of v that are interned.
func interned(v *jsontypes.Interned) (out []string) {
	out = append(out, string(v.Status), v.Tags[0], *v.Opt, v.Pair[1], v.Quoted, v.Inner.Kind, string(v.Inner.Region))
	for k, x := range v.Labels {
		out = append(out, string(k), x)
	}
	for k := range v.Counts {
		out = append(out, k)
	}
	return append(out, v.Any.([]any)[0].(string))
}

const internDoc = `{"status":"shipped","name":"not shared","tags":["tag \"one\""],"labels":{"colour":"très vert"},"opt":"option",
"pair":["","pair two"],"quoted":"\"within\"","any":["in any"],"counts":{"visits":1},"inner":{"kind":"click","region":"eu"}}`

// TestIntern decodes a document again and again: from the third time on interned strings are those
// of the time before, in code and in plans, and others are not.
func TestIntern(t *testing.T) {
	for _, spare := range []string{"", strings.Repeat(" ", 70<<10)} { // large documents are not shared
		for name, decode := range map[string]func([]byte, *jsontypes.Interned) error{
			"generated": func(b []byte, v *jsontypes.Interned) error { return fxjson.Unmarshal(b, v) },
			"plan":      func(b []byte, v *jsontypes.Interned) error { return fxjson.Unmarshal(b, (*plainInterned)(v)) },
		} {
			var last jsontypes.Interned
			for round := range 4 {
				var v jsontypes.Interned
				if err := decode([]byte(internDoc+spare), &v); err != nil {
					t.Fatal(err)
				}
				if round == 3 {
					a, b := interned(&last), interned(&v)
					for i := range a {
						if a[i] == "" || a[i] != b[i] || unsafe.StringData(a[i]) != unsafe.StringData(b[i]) {
							t.Errorf("%s: %q and %q do not share memory", name, a[i], b[i])
						}
					}
					if unsafe.StringData(v.Name) == unsafe.StringData(last.Name) {
						t.Errorf("%s: %q is shared, without the option", name, v.Name)
					}
				}
				last = v
			}
		}
	}
}

// TestInternAllocs holds that interned strings that are known take no memory, nor a copy of the
// document.
func TestInternAllocs(t *testing.T) {
	if race {
		t.Skip("the race detector allocates")
	}
	doc := []byte(`{"kind":"click","region":"eu-central-1","n":7}`)
	var v jsontypes.InternedEvent
	for range 3 {
		if err := fxjson.Unmarshal(doc, &v); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		v = jsontypes.InternedEvent{}
		if err := fxjson.Unmarshal(doc, &v); err != nil {
			t.Error(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestInternBounded gives the table strings that are all different, each twice, and looks for what
// stays.
func TestInternBounded(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range 100_000 {
		for range 2 {
			var v jsontypes.InternedEvent
			if err := fxjson.Unmarshal(fmt.Appendf(nil, `{"attrs":{"key-%060d":"x%d"},"kind":"%0100d"}`, i, i, i), &v); err != nil {
				t.Fatal(err)
			}
		}
	}
	if after := heap(); after > before+256<<10 {
		t.Errorf("the heap grew by %d bytes", after-before)
	}
}

// TestInternTogether decodes in several goroutines, for the race detector.
func TestInternTogether(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 2000 {
				want := fmt.Sprint("kind", (i+g)%40)
				var v jsontypes.InternedEvent
				if err := fxjson.Unmarshal([]byte(`{"kind":"`+want+`"}`), &v); err != nil || v.Kind != want {
					t.Errorf("%q, %v, want %q", v.Kind, err, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

// FuzzIntern decodes documents twice, so that the second time takes strings from the table.
func FuzzIntern(f *testing.F) {
	f.Add([]byte(internDoc))
	f.Add([]byte(`{"tags":["a","\ud800","` + "\xff" + `",null,5],"labels":{"a":"b","a":"c"}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		for range 3 {
			for _, kind := range []func() any{func() any { return new(jsontypes.Interned) }, func() any { return new(plainInterned) }} {
				checkUnmarshal(t, kind, doc, doc)
			}
		}
	})
}

// BenchmarkIntern decodes events, interned or not, with strings that repeat or never do.
func BenchmarkIntern(b *testing.B) {
	docs := map[string][][]byte{}
	for i := range 4096 {
		for kind, n := range map[string]int{"repeated": i % 8, "unique": i} {
			doc, err := json.Marshal(jsontypes.PlainEvent{Kind: fmt.Sprint("order.created.", n),
				Region: jsontypes.Country(fmt.Sprint("eu-central-", n)),
				Attrs:  map[string]string{"tenant": fmt.Sprint("tenant-", n), "channel": "web"}, N: i})
			if err != nil {
				b.Fatal(err)
			}
			docs[kind] = append(docs[kind], doc)
		}
	}
	for _, kind := range []string{"repeated", "unique"} {
		b.Run(kind+"/plain", func(b *testing.B) { benchIntern[jsontypes.PlainEvent](b, docs[kind]) })
		b.Run(kind+"/intern", func(b *testing.B) { benchIntern[jsontypes.InternedEvent](b, docs[kind]) })
	}
}

func benchIntern[T any](b *testing.B, docs [][]byte) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		var v T
		if err := fxjson.Unmarshal(docs[i%len(docs)], &v); err != nil {
			b.Fatal(err)
		}
	}
}
