// Package connectx runs the codecs of this project under connect-go, in all three protocols
// that it speaks: Connect, gRPC and gRPC-Web.
//
//	handler := connect.NewUnaryHandler("/shop.Orders/Get", get, connect.WithCodec(connectx.Codec(codec.ZMY{})))
//	client := connect.NewClient[Key, Order](http.DefaultClient, url+"/shop.Orders/Get", connect.WithCodec(connectx.Codec(codec.ZMY{})))
//
// A handler takes as many codecs as it has options, "proto" and "json" of connect-go among
// them, and answers others with 415 Unsupported Media Type. A client has one.
package connectx

import (
	"strings"

	"connectrpc.com/connect"

	"github.com/zmylab/zmy/codec"
)

// Codec gives c to connect-go, under its own name in lower case.
func Codec(c codec.Codec) connect.Codec { return Named(c, c.Name()) }

// Named is [Codec] under another name: "json" for fxjson, so that any client that posts
// application/json is served. It takes the place of connect-go's own codec then, and with it the
// mapping of protobuf messages to JSON. Names are parts of media types, and so in lower case,
// whatever name is. It panics for "proto", whose bytes only protobuf has.
func Named(c codec.Codec, name string) connect.Codec {
	name = strings.ToLower(name)
	if name == "proto" {
		panic(`connectx: "proto" is the codec of protobuf messages; choose another name`)
	}
	w := wrapped{c, name}
	if s, ok := codec.As[codec.Stable](c); ok {
		return stable{w, s}
	}
	return w
}

// wrapped has what connect-go looks for by type assertion, beside its interface.
type wrapped struct {
	c    codec.Codec
	name string
}

func (w wrapped) Name() string                    { return w.name }
func (w wrapped) Marshal(v any) ([]byte, error)   { return w.c.Marshal(v) }
func (w wrapped) Unmarshal(b []byte, v any) error { return w.c.Unmarshal(b, v) }
func (w wrapped) MarshalAppend(dst []byte, v any) ([]byte, error) {
	return codec.Append(w.c, dst, v)
}

// stable is a codec whose messages may stand in the URL of a GET request, as equal ones
// are equal bytes: caches know them again.
type stable struct {
	wrapped
	s codec.Stable
}

func (s stable) MarshalStable(v any) ([]byte, error) { return s.s.MarshalStable(v) }

// IsBinary says whether such a message is put into the URL as base64.
func (s stable) IsBinary() bool { return codec.MediaType(s.c) != "application/json" }
