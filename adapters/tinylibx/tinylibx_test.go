package tinylibx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/adapters/tinylibx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
)

func sample() record {
	return record{
		ID: "A1", Count: -7, Price: 2.5, Tags: []string{"a", ""}, Meta: map[string]string{"k": "v"},
		Raw: []byte{0, 255}, At: time.Unix(1_700_000_000, 123).Local(), // times come back local
		Items: []item{{"x", 1}, {"y", 300}},
	}
}

func TestConformance(t *testing.T) {
	codectest.Run(t, tinylibx.Codec{}, codectest.Values(sample(), item{"x", 1 << 40})...)
}

func TestClasses(t *testing.T) {
	c := tinylibx.Codec{}
	second := func(_ []byte, err error) error { return err }
	var nobody *record
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{second(c.Marshal("text")), codec.ClassUnsupported},
		{second(c.AppendMarshal(nil, make(chan int))), codec.ClassUnsupported},
		{second(c.Marshal(nil)), codec.ClassType},
		{second(c.Marshal(nobody)), codec.ClassType},
		{c.Unmarshal([]byte("\x80"), new(string)), codec.ClassUnsupported},
		{c.Unmarshal([]byte("\x80"), nobody), codec.ClassType},
		{c.Unmarshal([]byte("\x80\x80"), new(record)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\x01"), new(record)), codec.ClassType},
		{c.Unmarshal([]byte("\x81\xa2id\x01"), new(record)), codec.ClassType},
		{c.Unmarshal([]byte("\x81\xa2id\xc1"), new(record)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\x81\xa3new"+strings.Repeat("\x91", 200_000)), new(record)), codec.ClassLimit},
		{c.Unmarshal(nil, new(record)), codec.ClassSyntax},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
	if _, err := c.Marshal("text"); !errors.Is(err, codec.ErrUnsupported) {
		t.Errorf("%v, want ErrUnsupported", err)
	}
}

// A buffer of the pool has room for the message from the beginning.
func TestPooledRoom(t *testing.T) {
	var p codec.Pool
	r := sample()
	r.Raw = make([]byte, 10_000)
	b, err := codec.MarshalPooled(tinylibx.Codec{}, &p, &r)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	if room := r.Msgsize(); cap(b.B) < room || cap(b.B) > 2*room {
		t.Errorf("capacity %d for a message of at most %d", cap(b.B), room)
	}
}

// FuzzUnmarshal: bytes from anywhere are refused or become a value that is written
// and read again as itself.
func FuzzUnmarshal(f *testing.F) {
	r := sample()
	codectest.Fuzz[item](f, tinylibx.Codec{}, &r)
}

func Example() {
	codecs := codec.NewRegistry(codec.FXJSON{}, tinylibx.Codec{})
	if err := codec.SetTypeFor[item](codecs, "msgp"); err != nil {
		fmt.Println(err)
		return
	}
	v := item{"x", 2}
	c, err := codecs.For(&v)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(&v)
	fmt.Printf("%s %x %v\n", codec.MediaType(c), b, err)
	// Output:
	// application/msgpack 82a3736b75a178a371747902 <nil>
}

func BenchmarkAppend(b *testing.B) {
	v := sample()
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(tinylibx.Codec{}, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}
