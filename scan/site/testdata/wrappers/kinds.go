package shop

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"io"
	"sync"
)

// pair is generic.
type pair[K comparable, V any] struct {
	Key K
	Val V
}

func encode[T any](v T) ([]byte, error) {
	return json.Marshal(v) // want marshal std-json *Order; pair[string, int]
}

func decode[T any](b []byte) (T, error) {
	var v T
	err := json.Unmarshal(b, &v) // want unmarshal std-json *Item
	return v, err
}

func unused[T any](v T) {
	json.Marshal(v)
}

func (p pair[K, V]) write(w io.Writer) error {
	return gob.NewEncoder(w).Encode(p) // want marshal gob pair[string, Order]; pair[string, int]
}

func generics() {
	encode(&Order{})
	encode(pair[string, int]{})
	decode[Item](nil)
	pair[string, Order]{}.write(io.Discard)
}

// store is an interface with two implementations.
type store interface{ put(v any) error }

type jsonStore struct{ enc *json.Encoder }

func (s jsonStore) put(v any) error {
	return s.enc.Encode(v) // want marshal std-json Item via interfaces
}

type xmlStore struct{}

func (*xmlStore) put(v any) error {
	_, err := xml.Marshal(v) // want marshal encoding/xml Item via interfaces
	return err
}

func interfaces(gobs bool) {
	var s store = jsonStore{json.NewEncoder(io.Discard)}
	if gobs {
		s = &xmlStore{}
	}
	s.put(Item{})
}

func methodValues() {
	f := json.NewEncoder(io.Discard).Encode
	f(Order{}) // want marshal std-json Order
	g := (*json.Decoder).Decode
	g(json.NewDecoder(nil), &Item{}) // want unmarshal std-json *Item
	h := json.Marshal
	h(&Item{}) // want marshal std-json *Item
}

// stream embeds an encoder.
type stream struct {
	*json.Encoder
	n int
}

func embedded() {
	s := stream{Encoder: json.NewEncoder(io.Discard)}
	s.Encode(Order{}) // want marshal std-json Order
	var e interface{ Encode(any) error } = s
	e.Encode(Item{}) // want marshal std-json Item
}

func concurrent() {
	var wg sync.WaitGroup
	var v any = &Order{}
	wg.Add(1)
	go func() {
		defer wg.Done()
		json.Marshal(v) // want marshal std-json *Order
	}()
	go json.NewEncoder(io.Discard).Encode(Item{})          // want marshal std-json Item
	defer json.NewEncoder(io.Discard).Encode([]Order(nil)) // want marshal std-json []Order
	ch := make(chan any, 1)
	ch <- Item{}
	json.Marshal(<-ch) // want marshal std-json Item
	wg.Wait()
}

var table = map[string]func(any) ([]byte, error){
	"json":  json.Marshal,
	"xml":   xml.Marshal,
	"own":   own,
	"empty": nil,
}

func own(v any) ([]byte, error) {
	return json.MarshalIndent(v, "", " ") // want marshal std-json Order via mapped
}

func mapped(name string) {
	table[name](Order{}) // want marshal encoding/xml Order | marshal std-json Order
}

// envelope carries a value in a field.
type envelope struct {
	Kind string
	Body any
}

func fields() {
	e := envelope{Body: Item{}}
	e.Body = &Order{}
	json.Marshal(e.Body) // want marshal std-json *Order; Item
	json.Marshal(e)      // want marshal std-json envelope
	var buf bytes.Buffer
	gob.NewDecoder(&buf).Decode(&e)     // want unmarshal gob *envelope
	gob.NewDecoder(&buf).Decode(e.Body) // want unmarshal gob *Order; Item
}

var registry = map[string]any{"order": new(Order)}

func init() {
	registry["item"] = new(Item)
}

func registered(name string) {
	json.Unmarshal(nil, registry[name]) // want unmarshal std-json *Item; *Order
	for _, v := range registry {
		json.Unmarshal(nil, v) // want unmarshal std-json *Item; *Order
	}
}

// named is implemented by Tag alone.
type named interface{ Name() string }

type Tag struct{}

func (Tag) Name() string { return "tag" }

func narrowed(v any) {
	if n, ok := v.(named); ok {
		json.Marshal(n) // want marshal std-json Tag via callNarrowed
	}
}

func callNarrowed() {
	narrowed(Tag{})
	narrowed(Order{})
}
