package zmy_test

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/wire"
)

// deflate is a Compressor of the standard library for tests. It poses as LZ4.
type deflate struct{}

func (deflate) ID() zmy.Compression { return zmy.LZ4 }

func (deflate) Compress(dst, src []byte) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	w, err := flate.NewWriter(b, 1)
	if err == nil {
		_, err = w.Write(src)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

func (deflate) Decompress(dst, src []byte, rawLen int) ([]byte, error) {
	s := len(dst)
	dst = wire.Extend(dst, rawLen)
	r := flate.NewReader(bytes.NewReader(src))
	if _, err := io.ReadFull(r, dst[s:]); err != nil {
		return dst, err
	}
	if n, err := r.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return dst, errors.New("more than announced")
	}
	return dst, nil
}

var (
	squeezed   = zmy.SealOptions{Compressor: deflate{}}
	unsqueezed = zmy.OpenOptions{Compressors: []zmy.Compressor{deflate{}}}
)

// envelopes are vectors: options, and the bytes around the message.
var envelopes = []struct {
	name string
	o    zmy.SealOptions
	msg  string // hex
	want string
}{
	{"plain", zmy.SealOptions{Fingerprint: 0x0102030405060708}, "00000000",
		"5a4d5901 0100 0000 0807060504030201 04000000 d950a52a 00000000"},
	{"no checksum", zmy.SealOptions{NoChecksum: true}, "00000000",
		"5a4d5901 0000 0000 0000000000000000 04000000 00000000 00000000"},
	{"schema", zmy.SealOptions{NoChecksum: true, Schema: []byte{7, 8}}, "00000000",
		"5a4d5901 0200 0000 0000000000000000 0a000000 00000000 02000000 0708 00000000"},
	{"empty schema", zmy.SealOptions{NoChecksum: true, Schema: []byte{}}, "00000000",
		"5a4d5901 0200 0000 0000000000000000 08000000 00000000 00000000 00000000"},
}

func TestEnvelopeVectors(t *testing.T) {
	for _, c := range envelopes {
		t.Run(c.name, func(t *testing.T) {
			msg, want := unhex(c.msg), unhex(c.want)
			got, err := c.o.AppendMessage(nil, msg)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%v\n got %x\nwant %x", err, got, want)
			}
			e, err := zmy.Open(want)
			if err != nil || !bytes.Equal(e.Message, msg) || e.Fingerprint != c.o.Fingerprint ||
				!bytes.Equal(e.Schema, c.o.Schema) || e.Checksum == c.o.NoChecksum {
				t.Errorf("%v: %+v", err, e)
			}
		})
	}
}

func TestSeal(t *testing.T) {
	order := sampleOrder()
	order.Metadata["note"] = strings.Repeat("as agreed ", 50)
	for _, c := range []struct {
		name string
		o    zmy.SealOptions
		want zmy.Compression
	}{
		{"plain", zmy.SealOptions{}, zmy.Uncompressed},
		{"compressed", squeezed, zmy.LZ4},
		{"both", zmy.SealOptions{Compressor: deflate{}, Schema: []byte("a schema"), Fingerprint: 9}, zmy.LZ4},
	} {
		t.Run(c.name, func(t *testing.T) {
			dst := []byte("before")
			b, err := c.o.Append(dst, &order)
			if err != nil || !bytes.HasPrefix(b, dst) {
				t.Fatal(err)
			}
			b = b[len(dst):]
			e, err := unsqueezed.Open(b)
			fingerprint := c.o.Fingerprint
			if fingerprint == 0 {
				fingerprint = order.ZMYFingerprint()
			}
			if err != nil || e.Compression != c.want || e.Fingerprint != fingerprint || !bytes.Equal(e.Schema, c.o.Schema) {
				t.Fatalf("%v: %+v", err, e)
			}
			if msg, _ := zmy.Marshal(&order); !bytes.Equal(msg, e.Message) {
				t.Error("another message came out")
			}
			for _, o := range []zmy.OpenOptions{unsqueezed, {Compressors: unsqueezed.Compressors, Unmarshal: zmy.UnmarshalOptions{NoCopy: true}}} {
				var back zmycase.Order
				if err := o.Unseal(b, &back); err != nil || !reflect.DeepEqual(back, order) {
					t.Errorf("unseal: %v", err)
				}
			}
		})
	}
}

// Where compression does not help, the body stays as it is.
func TestSealIncompressible(t *testing.T) {
	b, err := squeezed.Seal(&zmycase.SSE{ID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if e, err := zmy.Open(b); err != nil || e.Compression != zmy.Uncompressed {
		t.Errorf("%v: %+v", err, e)
	}
}

// Every truncation, every byte too many and every flipped bit is refused.
func TestEnvelopeDamage(t *testing.T) {
	order := sampleOrder()
	for _, o := range []zmy.SealOptions{{}, squeezed, {Schema: []byte("schema")}} {
		good, err := o.Seal(&order)
		if err != nil {
			t.Fatal(err)
		}
		for n := range good {
			if _, err := unsqueezed.Open(good[:n]); !errors.Is(err, zmy.ErrTruncated) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			for bit := range 8 {
				bad := bytes.Clone(good)
				bad[n] ^= 1 << bit
				if _, err := unsqueezed.Open(bad); err == nil {
					t.Fatalf("bit %d of byte %d may be flipped", bit, n)
				}
			}
		}
		if _, err := unsqueezed.Open(append(good, 0)); !errors.Is(err, zmy.ErrLength) {
			t.Error("a byte too many:", err)
		}
	}
}

// lie is an envelope whose compressed body announces rawLen bytes.
func lie(rawLen uint32, body string) []byte {
	c, _ := deflate{}.Compress(nil, []byte(body))
	b := unhex("5a4d5901 0400 0000 0000000000000000 00000000 00000000 00000000")
	wire.PutU32(b[16:], uint32(4+len(c)))
	wire.PutU32(b[24:], rawLen)
	return append(b, c...)
}

func TestOpenRefuses(t *testing.T) {
	const head = "0000000000000000 04000000 00000000 00000000"
	large := zmycase.SSE{Data: strings.Repeat("x", 200_000)}
	for _, c := range []struct {
		name string
		err  error
		code error
		text string
	}{
		{"bare message", open(unhex("0cc00000 0000000000000000 00000000 1600 1600 1600 0000")), zmy.ErrMagic,
			"zmy: open envelope: not a ZMY envelope at offset 0 (it begins with 0cc00000; bare messages are for Unmarshal)"},
		{"version", open(unhex("5a4d5902 0000 0000" + head)), zmy.ErrMagic,
			"zmy: open envelope: not a ZMY envelope at offset 3 (its version is 2, known is 1)"},
		{"flag", open(unhex("5a4d5901 2000 0000" + head)), zmy.ErrReserved,
			"zmy: open envelope: reserved bits are set at offset 4 (flags are 0x0020)"},
		{"high flag", open(unhex("5a4d5901 0080 0000" + head)), zmy.ErrReserved, ""},
		{"compression 3", open(unhex("5a4d5901 0c00 0000" + head)), zmy.ErrReserved, ""},
		{"reserved", open(unhex("5a4d5901 0000 0100" + head)), zmy.ErrReserved, ""},
		{"stream", open(unhex("5a4d5901 1000 0000" + head)), zmy.ErrReserved, ""},
		{"sum without flag", open(unhex("5a4d5901 0000 0000 0000000000000000 04000000 01000000 00000000")), zmy.ErrReserved, ""},
		{"wrong sum", open(unhex("5a4d5901 0100 0000 0000000000000000 04000000 01000000 00000000")), zmy.ErrChecksum, ""},
		{"endless body", open(unhex("5a4d5901 0000 0000 0000000000000000 ffffffff 00000000 00000000")), nil, ""},
		{"endless schema", open(unhex("5a4d5901 0200 0000 0000000000000000 04000000 00000000 ffffffff")), zmy.ErrTruncated, ""},
		{"no schema", open(unhex("5a4d5901 0200 0000 0000000000000000 03000000 00000000 000000")), zmy.ErrTruncated, ""},
		{"zstd without", open(unhex("5a4d5901 0800 0000 0000000000000000 05000000 00000000 01000000 00")), zmy.ErrCompression,
			"zmy: open envelope: compression cannot be undone: no Compressor for zstd in the options; module adapters/zstdx has it at offset 24"},
		{"nothing without", open(unhex("5a4d5901 0800 0000" + head)), zmy.ErrLength, ""},
		{"large without", open(lie(4<<20+1, "x")), zmy.ErrTooLarge, ""},
		{"no rawLen", unsqueezedOpen(unhex("5a4d5901 0400 0000 0000000000000000 03000000 00000000 000000")), zmy.ErrTruncated, ""},
		{"raw too large", unsqueezedOpen(lie(4<<20+1, "x")), zmy.ErrTooLarge,
			"zmy: open envelope: larger than the limit: 4194305 bytes once decompressed, MaxRaw is 4194304 at offset 24"},
		{"raw nothing", unsqueezedOpen(lie(0, "")), zmy.ErrLength, ""},
		{"raw too short", unsqueezedOpen(lie(3, "four")), zmy.ErrCompression, ""},
		{"raw too long", unsqueezedOpen(lie(5, "four")), zmy.ErrCompression, ""},
		{"not compressed", unsqueezedOpen(append(lie(5, "")[:28], "\x00\x00\x00"...)), nil, ""},
		{"large", open(make([]byte, 128<<10+1)), zmy.ErrTooLarge,
			"zmy: open envelope: larger than the limit at offset 0 (131073 bytes, MaxWire is 131072)"},
		{"seal large", second(zmy.Seal(&large)), zmy.ErrTooLarge,
			"zmy: marshal SSE.Data: larger than the limit (200021 bytes, MaxWire is 131072)"},
		{"seal exactly", second(zmy.SealOptions{}.AppendMessage(nil, make([]byte, 128<<10))), zmy.ErrTooLarge,
			"zmy: seal envelope: larger than the limit (131096 bytes, MaxWire is 131072)"},
		{"seal raw", second(squeezed.AppendMessage(nil, make([]byte, 4<<20+1))), zmy.ErrTooLarge,
			"zmy: seal envelope: larger than the limit (4194305 bytes before compression, MaxRaw is 4194304)"},
		{"checksum wanted", second2(zmy.OpenOptions{NeedChecksum: true}.Open(unhex(envelopes[1].want))), zmy.ErrChecksum,
			"zmy: open envelope: checksum does not match at offset 4 (there is none)"},
	} {
		if c.err == nil || c.code != nil && !errors.Is(c.err, c.code) || c.text != "" && c.err.Error() != c.text {
			t.Errorf("%s:\n got %v\nwant %v %s", c.name, c.err, c.code, c.text)
		}
		var e *zmy.EnvelopeError
		if !errors.As(c.err, &e) && c.name != "seal large" {
			t.Errorf("%s: %T", c.name, c.err)
		}
	}
}

func open(b []byte) error                     { return second2(zmy.Open(b)) }
func unsqueezedOpen(b []byte) error           { return second2(unsqueezed.Open(b)) }
func second2(_ zmy.Envelope, err error) error { return err }

// A message larger than MaxWire goes through if it is compressed below it.
func TestSealMaxRaw(t *testing.T) {
	large := zmycase.SSE{Data: strings.Repeat("x", 2<<20)}
	b, err := squeezed.Seal(&large)
	if err != nil {
		t.Fatal(err)
	}
	var back zmycase.SSE
	if err := unsqueezed.Unseal(b, &back); err != nil || back.Data != large.Data {
		t.Errorf("%v, %d bytes", err, len(back.Data))
	}
	o := unsqueezed
	o.Unmarshal.MaxRaw = 1 << 20
	if err := o.Unseal(b, &back); !errors.Is(err, zmy.ErrTooLarge) {
		t.Error("MaxRaw:", err)
	}
}

type stamped struct {
	zmycase.SSE `zmy:"0"`
}

func (*stamped) ZMYFingerprint() uint64 { return 77 }

func TestSealFingerprint(t *testing.T) {
	for _, c := range []struct {
		v    any
		o    zmy.SealOptions
		want uint64
	}{
		{&zmycase.SSE{}, zmy.SealOptions{Fingerprint: 5}, 5},
		{&stamped{}, zmy.SealOptions{}, 77},
		{stamped{}, zmy.SealOptions{}, 77},
		{&stamped{}, zmy.SealOptions{Fingerprint: 5}, 5},
		{&struct {
			stamped `zmy:"0"`
		}{}, zmy.SealOptions{}, 0}, // the fingerprint is that of the field
	} {
		b, err := c.o.Seal(c.v)
		if err != nil {
			t.Fatal(err)
		}
		if e, err := zmy.Open(b); err != nil || e.Fingerprint != c.want {
			t.Errorf("%T: %v, %d", c.v, err, e.Fingerprint)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, c := range envelopes {
		f.Add(unhex(c.want))
	}
	order := sampleOrder()
	for _, o := range []zmy.SealOptions{{}, squeezed, {NoChecksum: true, Compressor: deflate{}, Schema: []byte("s")}} {
		b, err := o.Seal(&order)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(lie(3, "four"))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := unsqueezed.Open(b)
		if err != nil {
			return
		}
		_ = unsqueezed.Unseal(b, &zmycase.Order{})
		if e.Compression != zmy.Uncompressed {
			return // others may compress otherwise
		}
		again, err := zmy.SealOptions{Fingerprint: e.Fingerprint, Schema: e.Schema, NoChecksum: !e.Checksum}.AppendMessage(nil, e.Message)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%v\n got %x\nwant %x", err, again, b)
		}
	})
}

func BenchmarkSeal(b *testing.B) {
	order := sampleOrder()
	sealed, _ := zmy.Seal(&order)
	buf := make([]byte, 0, 4096)
	b.Run("seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf, _ = zmy.SealOptions{}.Append(buf[:0], &order)
		}
	})
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e, _ := zmy.Open(sealed)
			sink += len(e.Message)
		}
	})
}

func ExampleSeal() {
	order := zmycase.Order{ID: "A1"}
	b, err := zmy.Seal(&order)
	if err != nil {
		fmt.Println(err)
		return
	}
	var back zmycase.Order
	err = zmy.Unseal(b, &back)
	fmt.Println(back.ID, err)
	b[len(b)-1] ^= 1 // on its way
	fmt.Println(errors.Is(zmy.Unseal(b, &back), zmy.ErrChecksum))
	// Output:
	// A1 <nil>
	// true
}

// What generated code knows of its type travels when asked for.
func TestSealDescribe(t *testing.T) {
	o := zmy.SealOptions{Describe: true}
	order := sampleOrder()
	var stream bytes.Buffer
	w := o.NewWriter(&stream)
	if err := errors.Join(w.Marshal(&order), w.Close()); err != nil {
		t.Fatal(err)
	}
	if e, err := zmy.NewReader(&stream).About(); err != nil || e.Fingerprint != order.ZMYFingerprint() ||
		string(e.Schema) != order.ZMYSchema() {
		t.Errorf("stream: %v, %+v", err, e)
	}
	for _, v := range []any{&order, order} {
		b, err := o.Seal(v)
		if err != nil {
			t.Fatal(err)
		}
		e, err := zmy.Open(b)
		if err != nil || e.Fingerprint != order.ZMYFingerprint() || e.Fingerprint == 0 || string(e.Schema) != order.ZMYSchema() {
			t.Errorf("%T: %v, %+v", v, err, e)
		}
		var back zmycase.Order
		if err := zmy.Unseal(b, &back); err != nil || back.ID != order.ID {
			t.Error(err)
		}
		// Another fingerprint is no reason to refuse a message.
		o := o
		o.Fingerprint = 1
		if b, err = o.Seal(v); err != nil {
			t.Fatal(err)
		}
		if err := zmy.Unseal(b, &back); err != nil {
			t.Error(err)
		}
	}
	o.Schema = []byte("mine")
	if b, err := o.Seal(&order); err != nil || !bytes.Contains(b, []byte("mine")) {
		t.Errorf("%v, %x", err, b)
	}
	if _, err := (zmy.SealOptions{Describe: true}).Seal(undescribed{}); !errors.Is(err, zmy.ErrNoGeneratedCode) {
		t.Error(err)
	}
}

// undescribed was generated before code had schema blocks.
type undescribed struct{}

func (undescribed) AppendZMY(b []byte) ([]byte, error) { return append(b, 0, 0, 0, 0), nil }
func (undescribed) AppendZMYOptions(b []byte, _ zmy.MarshalOptions) ([]byte, error) {
	return append(b, 0, 0, 0, 0), nil
}

// The schema of a stream is that of all its records.
func TestStreamDescribe(t *testing.T) {
	order, sse := sampleOrder(), zmycase.SSE{ID: "1"}
	var b bytes.Buffer
	w := zmy.SealOptions{Describe: true, Marshal: zmy.MarshalOptions{MaxWire: 4096}}.NewWriter(&b)
	if err := w.Marshal(&zmycase.SSE{Data: strings.Repeat("x", 5<<20)}); !errors.Is(err, zmy.ErrTooLarge) {
		t.Fatal(err)
	}
	if err := errors.Join(w.Marshal(&order), w.Marshal(order)); err != nil {
		t.Fatal("the first value that is written says what the stream has:", err)
	}
	err := w.Marshal(&sse)
	const want = "the stream's schema is that of zmycase.Order, not of zmycase.SSE: start another stream for it"
	if !errors.Is(err, zmy.ErrSequence) || !strings.Contains(err.Error(), want) {
		t.Errorf("another type: %v", err)
	}
	if err := errors.Join(w.Marshal(&order), w.Close()); err != nil {
		t.Error("the stream goes on:", err)
	}
	r := zmy.NewReader(&b)
	n := 0
	for {
		var v zmycase.Order
		if err := r.Unmarshal(&v); err == io.EOF {
			break
		} else if err != nil || v.ID != order.ID {
			t.Fatal(err)
		}
		n++
	}
	if about, err := r.About(); n != 3 || err != nil || string(about.Schema) != order.ZMYSchema() ||
		about.Fingerprint != order.ZMYFingerprint() {
		t.Errorf("%d records, %v", n, err)
	}

	// With a fingerprint alone, or a schema of the caller's, records may be of any type.
	for _, o := range []zmy.SealOptions{{}, {Schema: []byte("x"), Describe: true}} {
		w := o.NewWriter(io.Discard)
		if err := errors.Join(w.Marshal(&order), w.Marshal(&sse), w.Close()); err != nil {
			t.Error(err)
		}
	}
}
