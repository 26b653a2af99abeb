package fxjson_test

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// The payloads of the benchmarks.
var (
	benchSession = jsontypes.Session{
		ID: 9007199254740993, SessionID: "f3a1c6d2-9b1e-4a57-8f0e-2f4f7c1d9a10", UserName: "maria.schmidt",
		IPAddress: "203.0.113.42", UserAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0",
		Active: true, LoginCount: 1847, Balance: 1523.75, CreatedAt: time.Date(2026, 10, 5, 12, 34, 56, 123456789, time.UTC),
		Permissions: []int{1, 2, 5, 8, 13, 21, 34, 55},
		Profile: jsontypes.Profile{FirstName: "Maria", LastName: "Schmidt", Age: 34, Email: "maria.schmidt@example.org",
			Bio: "Writes \"code\" & tea in Zürich.", Verified: true, Score: 98.6},
		Metadata: map[string]any{"theme": "dark", "lang": "de-CH", "beta": true, "ratio": 0.75, "tags": []any{"a", "b", "c"},
			"limits": map[string]any{"cpu": 4.0, "mem": 8192.0}},
	}
	benchEvent = jsontypes.SSEEvent{
		ID: "evt_01HZX3", Event: "order.updated", Data: `{"order":"A-1009","state":"paid","items":[1,2,3],"total":"129.90"}`,
		Meta: map[string]string{"tenant": "acme", "region": "eu-central-1", "trace": "4bf92f3577b34da6"},
	}
	benchResult = func() jsontypes.Result {
		r := rand.New(rand.NewPCG(1, 2))
		v := jsontypes.Result{ID: 42, Timestamp: 1759667696123, Data: make([]float64, 1024)}
		for i := range v.Data {
			v.Data[i] = r.Float64()
		}
		return v
	}()
)

func BenchmarkMarshal(b *testing.B) {
	benchMarshal(b, "session", &benchSession)
	benchMarshal(b, "event", &benchEvent)
	benchMarshal(b, "result", &benchResult)
}

func benchMarshal[T any, P interface {
	*T
	AppendJSON([]byte) ([]byte, error)
}](b *testing.B, name string, v P) {
	b.Run(name+"/fxjson", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := fxjson.Marshal(v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(name+"/append", func(b *testing.B) {
		b.ReportAllocs()
		buf := make([]byte, 0, 64<<10)
		for b.Loop() {
			if _, err := v.AppendJSON(buf); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(name+"/encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	benchUnmarshal(b, "session", &benchSession)
	benchUnmarshal(b, "event", &benchEvent)
	benchUnmarshal(b, "result", &benchResult)
}

// BenchmarkDecoder reads one document, as a handler reads the body of a request: in pieces of 4 KiB, with a line feed.
func BenchmarkDecoder(b *testing.B) {
	benchDecoder(b, "session", &benchSession)
	benchDecoder(b, "event", &benchEvent)
	benchDecoder(b, "result", &benchResult)
}

func benchDecoder[T any](b *testing.B, name string, v *T) {
	doc, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	doc = append(doc, '\n')
	for _, c := range []struct {
		name string
		new  func(io.Reader) interface{ Decode(any) error }
	}{
		{"fxjson", func(r io.Reader) interface{ Decode(any) error } { return fxjson.NewDecoder(r) }},
		{"encoding-json", func(r io.Reader) interface{ Decode(any) error } { return json.NewDecoder(r) }},
	} {
		b.Run(name+"/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			body := &chunks{n: 4 << 10, err: io.EOF, with: true}
			for b.Loop() {
				body.src = doc
				if err := c.new(body).Decode(new(T)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchUnmarshal[T any](b *testing.B, name string, v *T) {
	doc, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		unmarshal func([]byte, any) error
	}{{"fxjson", fxjson.Unmarshal}, {"encoding-json", json.Unmarshal}} {
		b.Run(name+"/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.unmarshal(doc, new(T)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"-reused/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			v := new(T)
			for b.Loop() {
				if err := c.unmarshal(doc, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
