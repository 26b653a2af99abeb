package avrox_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/adapters/avrox"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
)

const orderSchema = `{"type": "record", "name": "Order", "fields": [
	{"name": "id", "type": "string"},
	{"name": "total", "type": "double"},
	{"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
	{"name": "tags", "type": {"type": "map", "values": "string"}},
	{"name": "items", "type": {"type": "array", "items": {"type": "record", "name": "Item", "fields": [
		{"name": "sku", "type": "string"}, {"name": "qty", "type": "long"},
		{"name": "serial", "type": {"type": "fixed", "name": "U64", "size": 8}}]}}},
	{"name": "note", "type": ["null", "string"]}]}`

type order struct {
	ID    string            `avro:"id"`
	Total float64           `avro:"total"`
	At    time.Time         `avro:"at"`
	Tags  map[string]string `avro:"tags"`
	Items []item            `avro:"items"`
	Note  *string           `avro:"note"`
}

type item struct {
	Sku    string `avro:"sku"`
	Qty    int64  `avro:"qty"`
	Serial uint64 `avro:"serial"`
}

const userSchema = `{"type": "record", "name": "User", "fields": [{"name": "Name", "type": "string"}, {"name": "Age", "type": "int"}]}`

type user struct {
	Name string
	Age  int
}

func sample() order {
	note := "as agreed"
	return order{"A1", 2.5, time.UnixMicro(1_700_000_000_123_456).UTC(), map[string]string{"k": "v"},
		[]item{{"x", 1, 1 << 63}, {"y", -300, 7}}, &note}
}

func newCodec(t testing.TB) *avrox.Codec {
	t.Helper()
	c, err := avrox.New(avrox.For[order](orderSchema), avrox.For[user](userSchema))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConformance(t *testing.T) {
	codectest.Run(t, newCodec(t), codectest.Values(sample(), user{"Ada", 36})...)
}

func TestNewRefusesSchemas(t *testing.T) {
	_, err := avrox.New(avrox.For[user](`{"type": "rekord"}`))
	if err == nil || !strings.HasPrefix(err.Error(), "avrox: schema of avrox_test.user: ") {
		t.Errorf("%v", err)
	}
}

// Nothing of what the target held is left.
func TestUnmarshalReplaces(t *testing.T) {
	c := newCodec(t)
	b, err := c.Marshal(order{At: time.UnixMicro(0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	v := sample()
	if err := c.Unmarshal(b, &v); err != nil || len(v.Items) != 0 || len(v.Tags) != 0 || v.Note != nil || v.ID != "" {
		t.Errorf("%+v, %v", v, err)
	}
}

// The library's codec of uint64 has a buffer of its own, which goroutines must not share.
func TestGoroutinesShareNothing(t *testing.T) {
	c := newCodec(t)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 300 {
				v := order{Items: []item{{Serial: uint64(g)<<32 | uint64(i)}}, At: time.UnixMicro(0).UTC()}
				b, err := c.Marshal(&v)
				var w order
				if err == nil {
					err = c.Unmarshal(b, &w)
				}
				if err != nil || w.Items[0] != v.Items[0] {
					t.Errorf("%+v, want %+v: %v", w.Items, v.Items, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

func TestClasses(t *testing.T) {
	c := newCodec(t)
	second := func(_ []byte, err error) error { return err }
	var nobody *user
	good, err := c.Marshal(user{"Ada", 36})
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := avrox.New(avrox.For[user](`{"type": "record", "name": "User", "fields": [{"name": "Name", "type": "long"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{second(c.Marshal("text")), codec.ClassUnsupported},
		{second(c.Marshal(nil)), codec.ClassType},
		{second(c.Marshal(nobody)), codec.ClassType},
		{second(wrong.Marshal(user{})), codec.ClassType},
		{wrong.Unmarshal(good, new(user)), codec.ClassType},
		{c.Unmarshal(good, nobody), codec.ClassType},
		{c.Unmarshal(good, user{}), codec.ClassType},
		{c.Unmarshal(good, new(string)), codec.ClassUnsupported},
		{c.Unmarshal(good[:2], new(user)), codec.ClassSyntax},
		{c.Unmarshal(append(good[:len(good):len(good)], 0), new(user)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\xfe\xff\xff\xff\x0f"), new(user)), codec.ClassLimit},
		{c.Unmarshal([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), new(user)), codec.ClassSyntax},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
	if _, err := c.Marshal("text"); !errors.Is(err, codec.ErrUnsupported) {
		t.Errorf("%v, want ErrUnsupported", err)
	}
}

// TestArrayLimit reads a message of a few bytes that announces as many elements as the library takes
// by default for a limit of 4 MiB: they would need 128 MiB.
func TestArrayLimit(t *testing.T) {
	c := newCodec(t)
	b := append([]byte{0}, make([]byte, 8)...) // id and total
	b = append(b, 0, 0)                        // at, and no tags
	b = binary.AppendVarint(b, 4<<20)          // items
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := c.Unmarshal(b, new(order))
	runtime.ReadMemStats(&after)
	if codec.ClassOf(err) != codec.ClassLimit {
		t.Errorf("%v", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 5<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
	many := order{At: time.UnixMicro(0).UTC(), Items: make([]item, 100_000)}
	whole, err := c.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	var back order
	if err := c.Unmarshal(whole, &back); err != nil || len(back.Items) != len(many.Items) {
		t.Errorf("%d items, %v", len(back.Items), err)
	}
}

// FuzzUnmarshal: bytes from anywhere are refused or become a value that is written
// and read again as itself.
func FuzzUnmarshal(f *testing.F) {
	c := newCodec(f)
	b, err := c.Marshal(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Fuzz(func(t *testing.T, in []byte) {
		var v, w order
		if c.Unmarshal(in, &v) != nil {
			return
		}
		b, err := c.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		v.At, v.Total = time.Time{}, 0 // times beyond the range, NaN
		if err := c.Unmarshal(b, &w); err != nil {
			t.Fatal(err)
		}
		if w.At, w.Total = v.At, 0; !reflect.DeepEqual(v, w) {
			t.Fatalf("\n%+v\n%+v", v, w)
		}
	})
}

func Example() {
	type point struct {
		X int `avro:"x"`
		Y int `avro:"y"`
	}
	c, err := avrox.New(avrox.For[point](`{"type": "record", "name": "Point", "fields": [
		{"name": "x", "type": "int"}, {"name": "y", "type": "int"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(point{1, -1})
	fmt.Printf("%s %x %v\n", codec.MediaType(c), b, err)
	_, err = c.Marshal("text")
	fmt.Println(err)
	// Output:
	// application/avro 0201 <nil>
	// codec: avro: marshal string: not supported: no schema for this type; hand avrox.New one by avrox.For
}

func BenchmarkAppend(b *testing.B) {
	c, v := newCodec(b), sample()
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(c, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}
