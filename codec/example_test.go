package codec_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

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
