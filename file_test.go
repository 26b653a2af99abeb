package zmy_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// One field of a file of 64 MB: opened, looked at, closed, against reading it.
func BenchmarkFile(b *testing.B) {
	_, msg := large(b, 1_140_000)
	name := writeFile(b, msg)
	b.Logf("%d bytes", len(msg))
	b.Run("open+view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f, err := zmy.OpenFile(name)
			if err != nil {
				b.Fatal(err)
			}
			v, err := zmycase.ViewOrderLazy(f.Bytes())
			if err != nil {
				b.Fatal(err)
			}
			sink += len(v.Items(654_321).Sku())
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("view", func(b *testing.B) {
		f, err := zmy.OpenFile(name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		b.ReportAllocs()
		for b.Loop() {
			v, _ := zmycase.ViewOrderLazy(f.Bytes())
			sink += len(v.Items(654_321).Sku())
		}
	})
	b.Run("open+verify+view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f, err := zmy.OpenFile(name)
			if err != nil {
				b.Fatal(err)
			}
			v, err := zmycase.ViewOrderOptions(f.Bytes(), f.Options())
			if err != nil {
				b.Fatal(err)
			}
			sink += len(v.Items(654_321).Sku())
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read+view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			data, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			v, _ := zmycase.ViewOrderLazy(data)
			sink += len(v.Items(654_321).Sku())
		}
	})
	b.Run("read+unmarshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			data, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			var o zmycase.Order
			if err := (zmy.UnmarshalOptions{MaxWire: len(data)}).Unmarshal(data, &o); err != nil {
				b.Fatal(err)
			}
			sink += len(o.Items[654_321].Sku)
		}
	})
	peers(b, msg)
}

// peers reads the same field from files of other formats, all of which must be
// read and decoded first.
func peers(b *testing.B, msg []byte) {
	var v zmycase.Order
	if err := (zmy.UnmarshalOptions{MaxWire: len(msg)}).Unmarshal(msg, &v); err != nil {
		b.Fatal(err)
	}
	var g bytes.Buffer
	if err := gob.NewEncoder(&g).Encode(&v); err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	v = zmycase.Order{}
	for _, p := range []struct {
		name   string
		data   []byte
		decode func([]byte, *zmycase.Order) error
	}{
		{"gob", g.Bytes(), func(data []byte, v *zmycase.Order) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }},
		{"json", text, func(data []byte, v *zmycase.Order) error { return json.Unmarshal(data, v) }},
	} {
		name := writeFile(b, p.data)
		b.Run("read+"+p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				data, err := os.ReadFile(name)
				if err != nil {
					b.Fatal(err)
				}
				var o zmycase.Order
				if err := p.decode(data, &o); err != nil {
					b.Fatal(err)
				}
				sink += len(o.Items[654_321].Sku)
			}
			b.ReportMetric(float64(len(p.data)), "file-bytes")
		})
	}
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
