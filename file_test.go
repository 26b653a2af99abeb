package zmy_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

func writeFile(t testing.TB, b []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "message.zmy")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// large is an order whose message has about 64 bytes for each item.
func large(t testing.TB, items int) (zmycase.Order, []byte) {
	t.Helper()
	o := zmycase.Order{ID: "large", Items: make([]zmycase.Item, items)}
	for i := range o.Items {
		o.Items[i] = zmycase.Item{Sku: fmt.Sprintf("SKU-%09d", i), Price: float64(i), Qty: int32(i), Attrs: []byte("twenty-six bytes of colour")}
	}
	b, err := zmy.MarshalOptions{MaxWire: 1 << 30}.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	return o, b
}

func TestOpenFile(t *testing.T) {
	order, msg := large(t, 5000) // more than MaxWire's default
	name := writeFile(t, msg)
	for _, o := range []zmy.FileOptions{{}, {Read: true}} {
		f, err := o.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(f.Bytes(), msg) {
			t.Error("other bytes")
		}
		v, err := zmycase.ViewOrderOptions(f.Bytes(), f.Options())
		if err != nil || v.ItemsLen() != 5000 || v.Items(4321).Sku() != order.Items[4321].Sku {
			t.Error(err)
		}
		lazy, err := zmycase.ViewOrderLazy(f.Bytes())
		if err != nil || lazy.Items(77).Qty() != 77 {
			t.Error(err)
		}
		var back zmycase.Order
		if err := f.Options().Unmarshal(f.Bytes(), &back); err != nil || len(back.Items) != 5000 {
			t.Error(err)
		}
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Error("close:", err)
		}
		if back.Items[9].Sku != order.Items[9].Sku { // unmarshalled values outlive the mapping
			t.Error("a value changed")
		}
	}
}

func TestOpenFileRefuses(t *testing.T) {
	small := writeFile(t, make([]byte, 100))
	for _, c := range []struct {
		name string
		o    zmy.FileOptions
		file string
		want error
	}{
		{"missing", zmy.FileOptions{}, filepath.Join(t.TempDir(), "none"), os.ErrNotExist},
		{"empty", zmy.FileOptions{}, writeFile(t, nil), zmy.ErrTruncated},
		{"large", zmy.FileOptions{MaxSize: 99}, small, zmy.ErrTooLarge},
		{"folder", zmy.FileOptions{}, t.TempDir(), nil},
	} {
		if f, err := c.o.OpenFile(c.file); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", c.name, f, err)
		}
	}
	f, err := zmy.FileOptions{MaxSize: 100}.OpenFile(small)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zmycase.ViewOrderOptions(f.Bytes(), f.Options()); err == nil {
		t.Error("100 zero bytes are an order")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// One field of a file of 67 MB: opened, looked at, closed, against reading it, and
// against gob and JSON, which must decode all of it. Beside the time on the clock
// stands the processors' (cpu-ms/op), which other programs disturb less.
func BenchmarkFile(b *testing.B) {
	const item = 654_321
	v, msg := large(b, 1_140_000)
	name := writeFile(b, msg)
	b.Logf("%d bytes", len(msg))
	run := func(what string, op func() (sku string, err error)) {
		b.Run(what, func(b *testing.B) {
			b.ReportAllocs()
			runtime.GC() // what other rows left behind is not this one's
			cpu := cpuTime()
			for b.Loop() {
				sku, err := op()
				if err != nil {
					b.Fatal(err)
				}
				sink += len(sku)
			}
			b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
		})
	}
	opened := func(view func(f *zmy.File) (zmycase.OrderView, error)) func() (string, error) {
		return func() (string, error) {
			f, err := zmy.OpenFile(name)
			if err != nil {
				return "", err
			}
			v, err := view(f)
			if err != nil {
				return "", err
			}
			sku := zmy.Clone(v.Items(item).Sku()) // it outlives the mapping
			return sku, f.Close()
		}
	}
	run("open+view", opened(func(f *zmy.File) (zmycase.OrderView, error) { return zmycase.ViewOrderLazy(f.Bytes()) }))
	run("open+verify+view", opened(func(f *zmy.File) (zmycase.OrderView, error) {
		return zmycase.ViewOrderOptions(f.Bytes(), f.Options())
	}))
	run("read+view", func() (string, error) {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		v, err := zmycase.ViewOrderLazy(data)
		return v.Items(item).Sku(), err
	})
	decoded := func(name string, decode func([]byte, *zmycase.Order) error) func() (string, error) {
		return func() (string, error) {
			data, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			var o zmycase.Order
			if err := decode(data, &o); err != nil {
				return "", err
			}
			return o.Items[item].Sku, nil
		}
	}
	run("read+unmarshal", decoded(name, func(data []byte, o *zmycase.Order) error {
		return zmy.UnmarshalOptions{MaxWire: len(data)}.Unmarshal(data, o)
	}))
	var g bytes.Buffer
	if err := gob.NewEncoder(&g).Encode(&v); err != nil {
		b.Fatal(err)
	}
	gobName := writeFile(b, g.Bytes())
	g = bytes.Buffer{}
	run("read+gob", decoded(gobName, func(data []byte, o *zmycase.Order) error {
		return gob.NewDecoder(bytes.NewReader(data)).Decode(o)
	}))
	text, err := json.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	jsonName := writeFile(b, text)
	text, v = nil, zmycase.Order{}
	run("read+json", decoded(jsonName, func(data []byte, o *zmycase.Order) error { return json.Unmarshal(data, o) }))
}

func ExampleOpenFile() {
	dir, err := os.MkdirTemp("", "zmy")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	msg, err := zmy.Marshal(&zmycase.Order{ID: "A1", Items: []zmycase.Item{{Sku: "x", Qty: 2}}})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "order.zmy"), msg, 0o600)
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	f, err := zmy.OpenFile(filepath.Join(dir, "order.zmy"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	v, err := zmycase.ViewOrderOptions(f.Bytes(), f.Options())
	fmt.Println(v.ID(), v.Items(0).Qty(), err)
	// Output: A1 2 <nil>
}
