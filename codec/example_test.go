package codec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/examples/user"
)

// A program lists its codecs where it starts; requests then choose among them.
func ExampleRegistry() {
	codecs := codec.NewRegistry(codec.StdJSON{}, codec.Gob{}) // the first is the default

	c, mediaType, err := codecs.Negotiate("application/x-gob;q=0.9, text/html")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Name(), mediaType)

	_, err = codecs.Lookup("msgpack")
	fmt.Println(err)
	fmt.Println(errors.Is(err, codec.ErrNotRegistered))
	// Output:
	// gob application/x-gob
	// codec: codec "msgpack" is not registered; registered: gob, json
	// true
}

// One type can use a codec of its own; changing that is safe while requests run.
func ExampleSetTypeFor() {
	codecs := codec.NewRegistry(codec.StdJSON{}, codec.Gob{})
	if err := codec.SetTypeFor[user.User](codecs, "gob"); err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range []any{user.User{}, &user.User{}, "text"} {
		c, err := codecs.For(v)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%T: %s\n", v, c.Name())
	}
	// Output:
	// user.User: gob
	// *user.User: gob
	// string: json
}

// Any codec can write many messages to one stream.
func ExampleStream() {
	var pipe bytes.Buffer
	s := codec.Stream(codec.Gob{}, 1<<20)
	enc := s.NewEncoder(&pipe)
	for _, name := range []string{"Ada", "Kofi"} {
		if err := enc.Encode(user.User{Name: name}); err != nil {
			fmt.Println(err)
			return
		}
	}
	dec := s.NewDecoder(&pipe)
	for {
		var u user.User
		if err := dec.Decode(&u); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(u.Name)
	}
	// Output:
	// Ada
	// Kofi
}

func ExampleMarshalPooled() {
	var pool codec.Pool
	b, err := codec.MarshalPooled(codec.StdJSON{}, &pool, user.User{Id: 7, Name: "Ada"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Release() // b.B is not read after this
	fmt.Printf("%s\n", b.B)
	// Output:
	// {"id":7,"name":"Ada","emails":null}
}

// One message for several readers: the buffer returns to its pool after the last.
func ExampleLease() {
	var pool codec.Pool
	lease, err := codec.MarshalLeased(codec.StdJSON{}, &pool, user.User{Id: 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	same := make([]bool, 3)
	var readers sync.WaitGroup
	for i := range same {
		lease.Retain() // before the other goroutine starts
		readers.Add(1)
		go func() {
			defer readers.Done()
			defer lease.Release()
			same[i] = bytes.Contains(lease.Bytes(), []byte("7"))
		}()
	}
	lease.Release()
	readers.Wait()
	fmt.Println(same)
	// Output:
	// [true true true]
}

// failures is an observer that counts what went wrong.
type failures map[codec.Class]int

func (failures) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }

func (f failures) End(_ context.Context, e codec.Event) {
	if e.Err != nil {
		f[e.Class()]++
	}
}

func ExampleRegistry_Observe() {
	seen := failures{}
	codecs := codec.NewRegistry(codec.StdJSON{})
	codecs.Observe(seen)

	c, err := codecs.Lookup("json")
	if err != nil {
		fmt.Println(err)
		return
	}
	var n int
	_ = c.Unmarshal([]byte("1"), &n)
	_ = c.Unmarshal([]byte("{"), &n)
	_ = c.Unmarshal([]byte("{}"), &n)
	fmt.Println(seen)
	// Output:
	// map[syntax:1 type:1]
}

// Gob refuses interfaces that hold types it was not told of; JSON takes them.
func ExampleFallback() {
	c := codec.Fallback(codec.Gob{}, codec.WhenClass(codec.ClassUnsupported), codec.StdJSON{})
	for _, v := range []any{"text", struct{ Any any }{struct{ N int }{7}}} {
		b, err := c.Marshal(v)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d %q\n", b[0], b[1:])
	}
	// Output:
	// 0 "\a\f\x00\x04text"
	// 1 "{\"Any\":{\"N\":7}}"
}

func ExampleGuarded() {
	c := codec.Guarded(codec.StdJSON{})
	_, err := c.Marshal(moody{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, codec.ErrPanicked), codec.ClassOf(err))
	// Output:
	// codec: json: marshal codec_test.moody: panicked: not today
	// true panic
}

// moody panics in a method that codecs call.
type moody struct{}

func (moody) MarshalText() ([]byte, error) { panic("not today") }
