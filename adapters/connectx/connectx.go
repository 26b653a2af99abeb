// Package connectx makes the codecs of this project usable with connect-go, in all three of its
// protocols: Connect, gRPC and gRPC-Web.
//
//	handler := connect.NewUnaryHandler("/shop.Orders/Get", get, connect.WithCodec(connectx.Codec(codec.ZMY{})))
//	client := connect.NewClient[Key, Order](http.DefaultClient, url+"/shop.Orders/Get", connect.WithCodec(connectx.Codec(codec.ZMY{})))
//
// A handler accepts the codecs of all its WithCodec options, and connect-go's own "proto" and
// "json". It answers a request in any other codec with 415 Unsupported Media Type. A client uses
// one codec.
package connectx

import (
	"strings"

	"connectrpc.com/connect"

	"github.com/zmylab/zmy/codec"
)

// Codec adapts c to connect-go. Its name is c.Name() in lower case.
func Codec(c codec.Codec) connect.Codec { return Named(c, c.Name()) }

// Named is [Codec] with another name, such as "json" for fxjson: then any client that posts
// application/json is served. That codec replaces connect-go's own "json", which also maps protobuf
// messages to JSON. The name is used in lower case, since it is part of media types. Named panics
// for "proto", which is the codec of protobuf messages.
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

// wrapped implements connect.Codec and the optional methods that connect-go finds by type
// assertion.
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

// stable is a codec whose encoding of equal messages is equal. connect-go can put such messages
// into the URL of a GET request, so that caches recognise equal requests.
type stable struct {
	wrapped
	s codec.Stable
}

func (s stable) MarshalStable(v any) ([]byte, error) { return s.s.MarshalStable(v) }

// IsBinary reports whether connect-go must put messages into the URL as base64.
func (s stable) IsBinary() bool { return codec.MediaType(s.c) != "application/json" }
