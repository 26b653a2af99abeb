package fxjson_test

import (
	"encoding/json"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// The types of the benchmarks again, without generated code.
type (
	plainSession jsontypes.Session
	plainEvent   jsontypes.SSEEvent
	plainResult  jsontypes.Result
	wide         struct {
		Items []struct {
			ID    int               `json:"id"`
			Name  string            `json:"name"`
			Tags  []string          `json:"tags,omitempty"`
			Price *float64          `json:"price"`
			Props map[string]int    `json:"props"`
			Kind  jsontypes.Title   `json:"kind"`
			Sub   []jsontypes.Point `json:"sub"`
		} `json:"items"`
	}
)

const wideItem = `{"id":12345,"name":"a name of some length","tags":["x","yy","zzz"],"price":12.5,"props":{"a":1,"b":2,"c":3},"kind":"k","sub":[{"x":1.5,"y":2.5},{"x":3,"y":0}]}`

// BenchmarkReflective measures types without generated code.
func BenchmarkReflective(b *testing.B) {
	session, event, result := plainSession(benchSession), plainEvent(benchEvent), plainResult(benchResult)
	var w wide
	if err := json.Unmarshal([]byte(`{"items":[`+wideItem+","+wideItem+","+wideItem+`]}`), &w); err != nil {
		b.Fatal(err)
	}
	dynamic := map[string]any{"session": session, "list": []any{event, event}, "n": 1}
	benchReflective(b, "session", &session)
	benchReflective(b, "event", &event)
	benchReflective(b, "result", &result)
	benchReflective(b, "wide", &w)
	benchReflective(b, "dynamic", &dynamic)
}

func benchReflective[T any](b *testing.B, name string, v *T) {
	doc, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		marshal   func(any) ([]byte, error)
		unmarshal func([]byte, any) error
	}{{"fxjson", fxjson.Marshal, fxjson.Unmarshal}, {"encoding-json", json.Marshal, json.Unmarshal}} {
		b.Run("marshal/"+name+"/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.marshal(v); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("unmarshal/"+name+"/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.unmarshal(doc, new(T)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
