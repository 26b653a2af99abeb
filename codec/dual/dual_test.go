package dual

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/zmylab/zmy"
)

type order struct {
	ID   string   `json:"id" zmy:"0"`
	Tags []string `json:"tags,omitempty" zmy:"1"`
	Any  any      `json:"any,omitempty" zmy:"2"`
}

var orders = []order{{}, {ID: "Z"}, {ID: "ZMY", Tags: []string{"a", "b"}}, {ID: strings.Repeat("x", 5000)}, {Any: "ZMY"}}

// both returns the order as JSON and as ZMY.
func both(t *testing.T, o order) [2][]byte {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	if IsZMY(text) || !IsZMY(msg) {
		t.Fatalf("%q is taken for ZMY, or %x for JSON", text, msg)
	}
	return [2][]byte{text, msg}
}

func TestUnmarshal(t *testing.T) {
	for _, want := range orders {
		for i, b := range both(t, want) {
			var got order
			if err := Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d: got %+v, %v; want %+v", i, got, err, want)
			}
		}
	}
}

// TestErrors: the errors are those of the format.
func TestErrors(t *testing.T) {
	var o order
	var syntax *json.SyntaxError
	if err := Unmarshal([]byte(`{"id":`), &o); !errors.As(err, &syntax) {
		t.Errorf("%T %v", err, err)
	}
	var std order
	want := json.Unmarshal([]byte("ZM"), &std)
	if err := Unmarshal([]byte("ZM"), &o); err == nil || err.Error() != want.Error() {
		t.Errorf("%v, want %v", err, want)
	}
	msg := both(t, orders[2])[1]
	for n := 3; n < len(msg); n++ {
		if err := Unmarshal(msg[:n], &o); err == nil || errors.As(err, &syntax) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	msg[len(msg)-1] ^= 1
	if err := Unmarshal(msg, &o); !errors.Is(err, zmy.ErrChecksum) {
		t.Error(err)
	}
	if _, err := Marshal(make(chan int)); !errors.As(err, new(*json.UnsupportedTypeError)) {
		t.Error(err)
	}
}

// TestMarshalJSON: what ZMY does not carry is JSON, which readers take.
func TestMarshalJSON(t *testing.T) {
	for _, v := range []any{(*order)(nil), map[string]int{"a": 1}, struct{ A int }{1}, order{ID: strings.Repeat("x", zmy.DefaultMaxWire)}} {
		got, err := Marshal(v)
		want, wantErr := json.Marshal(v)
		if err != nil || wantErr != nil || !bytes.Equal(got, want) {
			t.Errorf("%T: %.40q, %v; want %.40q, %v", v, got, err, want, wantErr)
		}
	}
}

// TestDecoder reads all sequences of four messages of both formats, from readers that return much or
// little at once.
func TestDecoder(t *testing.T) {
	readers := map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader,
		"data with EOF": iotest.DataErrReader,
	}
	for name, reader := range readers {
		for mask := range 1 << 4 {
			var in []byte
			for i := range 4 {
				in = append(append(in, both(t, orders[i+1])[mask>>i&1]...), []string{"", "\n", " \r\n\t"}[(mask+i)%3]...)
			}
			d := NewDecoder(reader(bytes.NewReader(in)))
			for i := range 4 {
				var got order
				if !d.More() {
					t.Fatalf("%s %04b: no message %d", name, mask, i)
				}
				if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, orders[i+1]) {
					t.Fatalf("%s %04b: message %d: %.60v, %v", name, mask, i, got, err)
				}
			}
			if err := d.Decode(&order{}); err != io.EOF || d.More() {
				t.Errorf("%s %04b: at the end: %v", name, mask, err)
			}
		}
	}
}

func TestDecoderOptions(t *testing.T) {
	in := both(t, orders[1])
	d := NewDecoder(io.MultiReader(bytes.NewReader(in[0]), bytes.NewReader(in[1]), strings.NewReader(`{"any":1}{"none":1}`)))
	d.UseNumber()
	d.DisallowUnknownFields()
	var o order
	for range 3 {
		o = order{}
		if err := d.Decode(&o); err != nil {
			t.Fatal(err)
		}
	}
	if o.Any != json.Number("1") {
		t.Errorf("%T", o.Any)
	}
	if err := d.Decode(&o); err == nil || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
}

func TestDecoderErrors(t *testing.T) {
	msg := both(t, orders[2])[1]
	for n := 1; n < len(msg); n++ {
		if err := NewDecoder(bytes.NewReader(msg[:n])).Decode(&order{}); err == nil || err == io.EOF {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	broken := errors.New("broken")
	for n := range len(msg) {
		r := io.MultiReader(bytes.NewReader(msg[:n]), iotest.ErrReader(broken))
		if err := NewDecoder(r).Decode(&order{}); !errors.Is(err, broken) {
			t.Errorf("broken after %d bytes: %v", n, err)
		}
	}
	huge := bytes.Clone(msg[:zmy.EnvelopeOverhead])
	huge[19] = 0x7f
	r := &endless{bytes.NewReader(huge), 0}
	if err := NewDecoder(r).Decode(&order{}); !errors.Is(err, zmy.ErrTooLarge) || r.n > 2*zmy.DefaultMaxWire {
		t.Errorf("%v after %d bytes", err, r.n)
	}
}

// endless returns zero bytes after a head.
type endless struct {
	head io.Reader
	n    int
}

func (e *endless) Read(b []byte) (int, error) {
	if n, err := e.head.Read(b); err == nil {
		return n, nil
	}
	clear(b)
	e.n += len(b)
	return len(b), nil
}

// TestEncoder: a message is one call of Write, and a decoder reads all of them.
func TestEncoder(t *testing.T) {
	var w writes
	e := NewEncoder(&w)
	in := []*order{&orders[1], nil, &orders[2]}
	for _, v := range in {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if len(w) != 3 || !IsZMY(w[0]) || string(w[1]) != "null\n" || !IsZMY(w[2]) {
		t.Fatalf("%q", w)
	}
	d := NewDecoder(bytes.NewReader(bytes.Join(w, nil)))
	for i, want := range in {
		got := &order{ID: "before"}
		if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d: %+v, %v; want %+v", i, got, err, want)
		}
	}
	if err := e.Encode(func() {}); err == nil || len(w) != 3 {
		t.Error(err)
	}
}

// writes are the arguments of the calls of Write.
type writes [][]byte

func (w *writes) Write(b []byte) (int, error) {
	*w = append(*w, bytes.Clone(b))
	return len(b), nil
}

// TestPointers: a pointer to a pointer is allocated, or what it points to is filled.
func TestPointers(t *testing.T) {
	for i, b := range both(t, orders[2]) {
		var none *order
		have := &order{}
		same := have
		if err := errors.Join(Unmarshal(b, &none), Unmarshal(b, &have)); err != nil {
			t.Fatal(i, err)
		}
		if !reflect.DeepEqual(none, &orders[2]) || same != have || !reflect.DeepEqual(have, &orders[2]) {
			t.Errorf("%d: %+v, %+v", i, none, have)
		}
		for _, bad := range []any{nil, (*order)(nil), (**order)(nil), order{}} {
			if Unmarshal(b, bad) == nil {
				t.Errorf("%d: %T is filled", i, bad)
			}
		}
	}
}
