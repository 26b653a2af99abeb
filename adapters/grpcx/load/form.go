package load

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"

	"github.com/zmylab/zmy/adapters/grpcx"
	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
	"github.com/zmylab/zmy/adapters/msgpackx"
	"github.com/zmylab/zmy/codec"
)

// form is a codec in the way in which a service uses it best: messages to be sent are in the form
// that the codec marshals without conversion, and targets for received messages are reused.
type form struct {
	name    string
	codec   encoding.CodecV2            // the codec of the content-subtype; nil means gRPC's own for protobuf
	send    func(*msg.Message) any      // converts m for sending; m must not be changed afterwards
	target  func() any                  // returns a target for a received message
	read    func(any) (msg.Head, error) // reads every field of a received message
	release func(any)                   // takes back a target that is not used any more
	about   string                      // how it is configured

	last atomic.Pointer[source] // the source that was asked for last
}

// forms returns all forms, in the order in which they are shown.
var forms = sync.OnceValue(func() []*form {
	return []*form{
		protobufForm(),
		vtForm(),
		structForm(codec.StdJSON{}, "json", "encoding/json"),
		structForm(codec.FXJSON{}, "fxjson", "fxjson, generated code; reads and writes what encoding/json does"),
		structForm(msgpackx.Codec{Arrays: true}, "msgpack", "vmihailenco/msgpack, structs as arrays, encoders and decoders pooled"),
		flatbuffersForm(),
		structFormV2(zmyCodec(), "zmy", "ZMY native, generated code, copied into targets that are used again"),
		viewForm(),
		rawForm(),
	}
})

// Codecs returns the names of all codecs.
func Codecs() []string {
	var names []string
	for _, f := range forms() {
		names = append(names, f.name)
	}
	return names
}

// About describes how a codec is configured.
func About(codec string) string {
	f, err := formOf(codec)
	if err != nil {
		return ""
	}
	return f.about
}

func formOf(name string) (*form, error) {
	i := slices.IndexFunc(forms(), func(f *form) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no codec %q; there are %s", name, strings.Join(Codecs(), ", "))
	}
	return forms()[i], nil
}

// subtype returns the content-subtype of the calls.
func (f *form) subtype() string {
	if f.codec == nil {
		return proto.Name
	}
	return f.codec.Name()
}

// service returns the name of the service that uses this codec.
func (f *form) service() string { return "zmy.load." + f.name }

// method returns the full name of the service's method of kind k.
func (f *form) method(k Kind) string { return "/" + f.service() + "/" + k.method() }

var errChanged = errors.New("a message has arrived as another one than was sent")

// check reads a received message and compares its digest with that of the message which its head
// announces.
func (f *form) check(v any) (msg.Head, error) {
	h, err := f.read(v)
	if err != nil {
		return h, fmt.Errorf("%w: %w", errChanged, err)
	}
	s, err := f.sources(int(h.Size), h.Blob)
	if err != nil || h.Variant >= msg.Variants || s.sums[h.Variant] != h.Sum {
		return h, errChanged
	}
	return h, nil
}

// source holds the messages of one size in the form of a codec.
type source struct {
	size int
	blob bool
	sent [msg.Variants]any
	sums [msg.Variants]msg.Digest
	ask  any // the first message, with a Count that asks for more responses than can come
	wire int // mean bytes of an encoded message
}

type sourceKey struct {
	f    *form
	size int
	blob bool
}

var sources sync.Map // sourceKey → func() *source

// sources returns the messages of a size, which are made only once.
func (f *form) sources(size int, blob bool) (*source, error) {
	if s := f.last.Load(); s != nil && s.size == size && s.blob == blob {
		return s, nil // each message asks for them, so this must cost nothing
	}
	if size < msg.MinSize || size > msg.MaxSize {
		return nil, fmt.Errorf("messages of %d bytes: want %d to %d", size, msg.MinSize, msg.MaxSize)
	}
	key := sourceKey{f, size, blob}
	made, ok := sources.Load(key)
	if !ok {
		made, _ = sources.LoadOrStore(key, sync.OnceValue(func() *source { return f.source(size, blob) }))
	}
	s := made.(func() *source)()
	f.last.Store(s)
	return s, nil
}

func (f *form) source(size int, blob bool) *source {
	s := &source{size: size, blob: blob}
	c := cmp.Or(f.codec, encoding.GetCodecV2(proto.Name))
	for i := range s.sent {
		m := f.message(i, size, blob)
		s.sums[i] = m.Head().Sum
		s.sent[i] = f.send(m)
		if b, err := c.Marshal(s.sent[i]); err == nil { // the calls report an error
			s.wire += b.Len() / msg.Variants
			b.Free()
		}
	}
	ask := f.message(0, size, blob)
	ask.Count = 1 << 62
	s.ask = f.send(ask)
	return s
}

// message returns a message for this codec. For the codec raw it has no records.
func (f *form) message(variant, size int, blob bool) *msg.Message {
	return msg.New(variant, size, blob || f.name == rawName)
}

var register = sync.OnceValue(func() error {
	var all []encoding.CodecV2
	for _, f := range forms() {
		if f.codec != nil && !slices.Contains(all, f.codec) {
			all = append(all, f.codec)
		}
	}
	return grpcx.Register(all...)
})

// Register registers the codecs with gRPC. Call it at the start of the program, before the first
// client or server of gRPC is made.
func Register() error {
	if err := register(); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	return nil
}
