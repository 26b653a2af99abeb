package zmy_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"testing"

	"github.com/zmylab/zmy"
)

// BenchmarkReflect holds types without generated code against the same types
// with it, and against what else works by reflection. Figures: docs/perf/zmy.md.
func BenchmarkReflect(b *testing.B) {
	order, sse, result := sampleOrder(), sampleSSE(), sampleResult()
	b.Run("order", func(b *testing.B) { benchReflect(b, &order, plainOrder(order)) })
	b.Run("sse", func(b *testing.B) { benchReflect(b, &sse, plainSSE(sse)) })
	b.Run("result", func(b *testing.B) { benchReflect(b, &result, plainResult(result)) })
}

func benchReflect[S any](b *testing.B, generated message, v S) {
	enc, err := zmy.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	text, _ := json.Marshal(&v)
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	buf := make([]byte, 0, 2*len(enc))
	run("append/generated", func() { buf, _ = zmy.Append(buf[:0], generated) })
	run("append/reflect", func() { buf, _ = zmy.Append(buf[:0], &v) })
	run("append/json", func() { x, _ := json.Marshal(&v); sink += len(x) })
	var stream bytes.Buffer
	gobber := gob.NewEncoder(&stream)
	run("append/gob", func() { stream.Reset(); _ = gobber.Encode(&v) })
	run("unmarshal/reflect", func() { _ = zmy.Unmarshal(enc, new(S)) })
	run("unmarshal/json", func() { _ = json.Unmarshal(text, new(S)) })
	run("unmarshal/gob", unmarshalGob[S](v))
}

// unmarshalGob reads one value of a stream of many: the type's description, which
// is its first part, has been read before.
func unmarshalGob[S any](v S) func() {
	var stream bytes.Buffer
	e := gob.NewEncoder(&stream)
	for range 1000 {
		_ = e.Encode(&v)
	}
	d := gob.NewDecoder(bytes.NewReader(stream.Bytes()))
	return func() {
		if d.Decode(new(S)) != nil {
			d = gob.NewDecoder(bytes.NewReader(stream.Bytes()))
		}
	}
}
