package zmy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/wire"
)

// stream writes records under o.
func stream(t testing.TB, o zmy.SealOptions, records ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := o.NewWriter(&b)
	for _, r := range records {
		if err := w.WriteMessage(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// records reads all of a stream.
func records(o zmy.OpenOptions, b io.Reader) (out [][]byte, err error) {
	for msg, err := range o.NewReader(b).Messages() {
		if err != nil {
			return out, err
		}
		out = append(out, bytes.Clone(msg))
	}
	return out, nil
}

// chunks cuts a stream without schema into its header and its chunks.
func chunks(b []byte) (parts [][]byte) {
	parts, b = append(parts, b[:24]), b[24:]
	for len(b) > 0 {
		n := 8 + int(wire.U32(b)&0xffffff)
		parts, b = append(parts, b[:n:n]), b[n:]
	}
	return parts
}

func TestStreamVector(t *testing.T) {
	got := stream(t, zmy.SealOptions{NoChecksum: true, ChunkSize: 3, Fingerprint: 1}, []byte("abcd"), nil)
	want := unhex(`5a4d5901 1000 0000 0100000000000000 00000000 00000000
		03000001 00000000 616263  01000002 00000000 64  00000003 00000000  00000008 00000000`)
	if !bytes.Equal(got, want) {
		t.Errorf("\n got %x\nwant %x", got, want)
	}
	got = stream(t, zmy.SealOptions{}, []byte("abcd"))
	want = unhex("5a4d5901 1100 0000 0000000000000000 00000000 b780ac5a 04000003 85e9f1f1 61626364 00000008 a239c890")
	if !bytes.Equal(got, want) {
		t.Errorf("\n got %x\nwant %x", got, want)
	}
}

func TestStreamRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, o := range []zmy.SealOptions{
		{}, {ChunkSize: 1}, {ChunkSize: 7, Compressor: deflate{}}, {Compressor: deflate{}, Schema: []byte("schema"), Fingerprint: 3},
		{NoChecksum: true, ChunkSize: 100},
	} {
		for range 20 {
			in := make([][]byte, r.IntN(5))
			for i := range in {
				in[i] = bytes.Repeat([]byte("zmy "), r.IntN(200))
			}
			b := stream(t, o, in...)
			for name, src := range map[string]io.Reader{"at once": bytes.NewReader(b), "by bytes": iotest.OneByteReader(bytes.NewReader(b))} {
				got, err := records(unsqueezed, src)
				if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", in) {
					t.Fatalf("%s: %v: %q, want %q", name, err, got, in)
				}
			}
			about, err := unsqueezed.NewReader(bytes.NewReader(b)).About()
			if err != nil || about.Fingerprint != o.Fingerprint || !bytes.Equal(about.Schema, o.Schema) || about.Checksum == o.NoChecksum {
				t.Errorf("about: %v: %+v", err, about)
			}
		}
	}
}

// Every truncation and every flipped bit is an error, never a shorter stream;
// what comes before it is intact.
func TestStreamDamage(t *testing.T) {
	in := [][]byte{[]byte("one"), []byte("two, of some chunks"), {}, []byte("3")}
	for _, o := range []zmy.SealOptions{{ChunkSize: 5}, {ChunkSize: 400, Compressor: deflate{}}} {
		good := stream(t, o, append(in, bytes.Repeat([]byte("long "), 100))...)
		for n := range good {
			if _, err := records(unsqueezed, bytes.NewReader(good[:n])); !errors.Is(err, zmy.ErrTruncated) {
				t.Fatalf("%d of %d bytes: %v", n, len(good), err)
			}
			for bit := range 8 {
				bad := bytes.Clone(good)
				bad[n] ^= 1 << bit
				got, err := records(unsqueezed, bytes.NewReader(bad))
				if err == nil {
					t.Fatalf("bit %d of byte %d may be flipped", bit, n)
				}
				for i := range got {
					if i < len(in) && !bytes.Equal(got[i], in[i]) {
						t.Fatalf("bit %d of byte %d: record %d is %q", bit, n, i, got[i])
					}
				}
			}
		}
	}
}

// Chunks that are dropped, doubled or swapped are noticed, even between records
// of one chunk each with the same content.
func TestStreamOrder(t *testing.T) {
	good := chunks(stream(t, zmy.SealOptions{ChunkSize: 4}, []byte("same"), []byte("same"), []byte("a longer one"), []byte("last")))
	join := func(parts ...[]byte) io.Reader { return bytes.NewReader(bytes.Join(parts, nil)) }
	for i := 1; i < len(good); i++ {
		var drop, twice, swap [][]byte
		drop = append(append(drop, good[:i]...), good[i+1:]...)
		twice = append(append(append(twice, good[:i+1]...), good[i]), good[i+1:]...)
		if _, err := records(zmy.OpenOptions{}, join(drop...)); err == nil {
			t.Errorf("chunk %d may be dropped", i)
		}
		if _, err := records(zmy.OpenOptions{}, join(twice...)); err == nil && i < len(good)-1 {
			t.Errorf("chunk %d may be doubled", i)
		}
		for j := i + 1; j < len(good); j++ {
			swap = append(swap[:0], good...)
			swap[i], swap[j] = swap[j], swap[i]
			if _, err := records(zmy.OpenOptions{}, join(swap...)); err == nil {
				t.Errorf("chunks %d and %d may be swapped", i, j)
			}
		}
	}
}

func TestStreamRefuses(t *testing.T) {
	const head, summed = "5a4d5901 1000 0000 0000000000000000 00000000 00000000 ", "5a4d5901 1400 0000 0000000000000000 00000000 00000000 "
	for _, c := range []struct {
		name, hex string
		code      error
		text      string
	}{
		{"nothing", "", zmy.ErrTruncated, "zmy: read stream: unexpected end of input at offset 0 (there is nothing)"},
		{"no end", head, zmy.ErrTruncated, "zmy: read stream: unexpected end of input at offset 24 (the stream ends without its last chunk)"},
		{"an envelope", "5a4d5901 0000 0000 0000000000000000 00000000 00000000", zmy.ErrReserved, ""},
		{"body without schema", "5a4d5901 1000 0000 0000000000000000 01000000 00000000 00", zmy.ErrLength, ""},
		{"endless schema", "5a4d5901 1200 0000 0000000000000000 ffffffff 00000000 00", nil, ""},
		{"flag", head + "01000010 00000000 00", zmy.ErrReserved, "zmy: read stream: reserved bits are set at offset 24 (flags are 0x10)"},
		{"sum without", head + "01000003 01000000 00", zmy.ErrReserved, ""},
		{"end with bytes", head + "01000008 00000000 00", zmy.ErrReserved, ""},
		{"end and first", head + "00000009 00000000", zmy.ErrReserved, ""},
		{"end inside", head + "01000001 00000000 00 00000008 00000000", zmy.ErrSequence, ""},
		{"first twice", head + "01000001 00000000 00 01000003 00000000 00", zmy.ErrSequence, ""},
		{"no first", head + "01000002 00000000 00", zmy.ErrSequence, "zmy: read stream: chunk does not belong here at offset 33 (flags are 0x2)"},
		{"empty chunk", head + "00000001 00000000", zmy.ErrLength, ""},
		{"large chunk", head + "ffffff03 00000000", zmy.ErrTooLarge,
			"zmy: read stream: larger than the limit at offset 24 (chunk of 16777223 bytes, MaxWire is 131072)"},
		{"compressed without", head + "01000007 00000000 00", zmy.ErrReserved, ""},
		{"compressed short", summed + "01000007 00000000 00", zmy.ErrTruncated, ""},
		{"compressed lie", summed + "05000007 00000000 ffffff7f 00", zmy.ErrTooLarge, ""},
		{"compressed junk", summed + "05000007 00000000 01000000 ff", zmy.ErrCompression, ""},
	} {
		_, err := records(unsqueezed, bytes.NewReader(unhex(c.hex)))
		if err == nil || c.code != nil && !errors.Is(err, c.code) || c.text != "" && err.Error() != c.text {
			t.Errorf("%s:\n got %v\nwant %v %s", c.name, err, c.code, c.text)
		}
	}
}

func TestStreamMaxRaw(t *testing.T) {
	b := stream(t, zmy.SealOptions{ChunkSize: 100}, make([]byte, 1001))
	for _, c := range []struct {
		max int
		ok  bool
	}{{1001, true}, {1000, false}, {99, false}} {
		_, err := records(zmy.OpenOptions{Unmarshal: zmy.UnmarshalOptions{MaxWire: 200, MaxRaw: c.max}}, bytes.NewReader(b))
		if c.ok != (err == nil) || err != nil && !errors.Is(err, zmy.ErrTooLarge) {
			t.Errorf("MaxRaw %d: %v", c.max, err)
		}
	}
	w := zmy.SealOptions{Marshal: zmy.MarshalOptions{MaxRaw: 1000}}.NewWriter(io.Discard)
	if err := w.WriteMessage(make([]byte, 1001)); !errors.Is(err, zmy.ErrTooLarge) {
		t.Error("write:", err)
	}
}

// A record of any size passes with memory for some chunks.
func TestStreamMemory(t *testing.T) {
	const size = 64 << 20
	pr, pw := io.Pipe()
	go func() {
		w := zmy.NewWriter(pw)
		rec := w.Record()
		piece := make([]byte, 10_000)
		for n := 0; n < size; n += len(piece) {
			if _, err := rec.Write(piece[:min(len(piece), size-n)]); err != nil {
				pw.CloseWithError(err)
				return
			}
		}
		pw.CloseWithError(errors.Join(rec.Close(), w.Close()))
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := zmy.NewReader(pr)
	rec, err := r.Record()
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, rec)
	if err != nil || n != size {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if _, err := r.Record(); err != io.EOF {
		t.Error("end:", err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
		t.Errorf("%d bytes were allocated", got)
	}
}

// Large lengths reserve no memory before bytes come.
func TestStreamPromise(t *testing.T) {
	b := unhex("5a4d5901 1000 0000 0000000000000000 00000000 00000000 ffffff03 00000000 00")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := records(zmy.OpenOptions{Unmarshal: zmy.UnmarshalOptions{MaxWire: 1 << 30}}, bytes.NewReader(b))
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, zmy.ErrTruncated) || got > 1<<17 {
		t.Errorf("%v, %d bytes allocated", err, got)
	}
}

func TestStreamRecords(t *testing.T) {
	b := stream(t, zmy.SealOptions{ChunkSize: 4}, []byte("first record"), []byte("second"), []byte("third"))
	r := zmy.NewReader(bytes.NewReader(b))
	one, err := r.Record()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(io.LimitReader(one, 7)); string(got) != "first r" {
		t.Errorf("%q", got)
	}
	if got, err := r.ReadMessage(); string(got) != "second" || err != nil { // the rest of the first is skipped
		t.Errorf("%q, %v", got, err)
	}
	if _, err := one.Read(make([]byte, 1)); !errors.Is(err, zmy.ErrSequence) {
		t.Error("a record that is gone:", err)
	}
	three, _ := r.Record()
	if got, err := io.ReadAll(three); string(got) != "third" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for range 2 {
		if _, err := r.ReadMessage(); err != io.EOF {
			t.Error("end:", err)
		}
	}
}

// The reader leaves what follows a stream alone.
func TestStreamRest(t *testing.T) {
	src := strings.NewReader(string(stream(t, zmy.SealOptions{}, []byte("x"))) + "rest")
	if _, err := records(zmy.OpenOptions{}, src); err != nil {
		t.Fatal(err)
	}
	if rest, _ := io.ReadAll(src); string(rest) != "rest" {
		t.Errorf("%q is left", rest)
	}
}

func TestStreamMisuse(t *testing.T) {
	w := zmy.NewWriter(io.Discard)
	rec := w.Record()
	if err := w.WriteMessage(nil); !errors.Is(err, zmy.ErrSequence) {
		t.Error("a message inside a record:", err)
	}
	if err := w.Close(); !errors.Is(err, zmy.ErrSequence) {
		t.Error("end inside a record:", err)
	}
	if err := rec.Close(); err != nil {
		t.Error(err)
	}
	if _, err := rec.Write([]byte("x")); !errors.Is(err, zmy.ErrSequence) {
		t.Error("a closed record:", err)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error("closing twice:", err)
	}
	if err := w.WriteMessage(nil); err == nil || err.Error() != "zmy: write stream: it is closed" {
		t.Error("a closed stream:", err)
	}
	w = zmy.SealOptions{Schema: make([]byte, 128<<10)}.NewWriter(io.Discard)
	if err := w.WriteMessage(nil); !errors.Is(err, zmy.ErrTooLarge) {
		t.Error("a schema that no reader takes:", err)
	}
	broken := errors.New("broken pipe")
	w = zmy.NewWriter(iotestWriter{broken})
	if err := w.WriteMessage(nil); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := w.Close(); !errors.Is(err, broken) {
		t.Error("the first error stays:", err)
	}
	if _, err := zmy.NewReader(iotest.ErrReader(broken)).About(); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type iotestWriter struct{ err error }

func (w iotestWriter) Write([]byte) (int, error) { return 0, w.err }

func FuzzStream(f *testing.F) {
	for _, o := range []zmy.SealOptions{{}, {ChunkSize: 3}, {Compressor: deflate{}}, {NoChecksum: true, Schema: []byte("s")}} {
		f.Add(stream(f, o, []byte("abcd"), bytes.Repeat([]byte("x"), 50), nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o := unsqueezed
		o.Unmarshal.MaxRaw = 1 << 16
		src := bytes.NewReader(b)
		r := o.NewReader(src)
		var got [][]byte
		for msg, err := range r.Messages() {
			if err != nil {
				return
			}
			got = append(got, bytes.Clone(msg))
		}
		about, _ := r.About()
		again, err := records(unsqueezed, bytes.NewReader(stream(t, zmy.SealOptions{Fingerprint: about.Fingerprint}, got...)))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
			t.Fatalf("%v\n got %q\nwant %q", err, again, got)
		}
	})
}

func BenchmarkStream(b *testing.B) {
	order := sampleOrder()
	b.Run("write", func(b *testing.B) {
		w := zmy.NewWriter(io.Discard)
		b.ReportAllocs()
		for b.Loop() {
			if err := w.Marshal(&order); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		msg, _ := zmy.Marshal(&order)
		many := make([][]byte, 1000)
		for i := range many {
			many[i] = msg
		}
		data := stream(b, zmy.SealOptions{}, many...)
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			r := zmy.NewReader(bytes.NewReader(data))
			for msg := range r.Messages() {
				sink += len(msg)
			}
		}
	})
}

func ExampleNewWriter() {
	var pipe bytes.Buffer
	w := zmy.NewWriter(&pipe)
	for _, id := range []string{"A1", "A2", "A3"} {
		if err := w.Marshal(&zmycase.Order{ID: id}); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil { // or readers find the stream cut short
		fmt.Println(err)
	}

	r := zmy.NewReader(&pipe)
	for {
		var o zmycase.Order
		err := r.Unmarshal(&o)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(o.ID)
	}
	// Output:
	// A1
	// A2
	// A3
	// EOF
}
