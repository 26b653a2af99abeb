// Package avrox is a codec of Apache Avro's binary encoding, by github.com/hamba/avro/v2.
//
// Avro's bytes cannot be read without the schema by which they were written. So the codec is made
// with the schema of each type that it carries:
//
//	c, err := avrox.New(avrox.For[Order](orderSchema), avrox.For[User](userSchema))
//	codecs := codec.NewRegistry(codec.FXJSON{}, c)
//	err = codec.SetTypeFor[Order](codecs, "avro")
//
// Reader and writer need the same schema. A message is the encoding alone, neither an object
// container file nor a single object with a fingerprint. A reader that must understand older
// schemas needs a codec for each, with media types of its own.
package avrox

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"

	"github.com/hamba/avro/v2"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// Codec is the binary encoding of Avro (specification 1.12, "Binary Encoding"). Its name is "avro",
// its media type application/avro.
type Codec struct {
	config  avro.Config
	schemas map[reflect.Type]avro.Schema
	engines *sync.Pool
}

var (
	_ codec.Appender   = (*Codec)(nil)
	_ codec.MediaTyped = (*Codec)(nil)
)

// Type is a Go type together with its schema.
type Type struct {
	t      reflect.Type
	schema string
}

// For returns T together with its schema, a JSON text. A field is found by its struct tag avro or,
// without that tag, by its Go name.
func For[T any](schema string) Type { return Type{reflect.TypeFor[T](), schema} }

// maxValue is the largest string, bytes or array of a message, in bytes.
const maxValue = 4 << 20

// Config returns the limits that New uses for the types: a string, bytes or array of a message takes
// at most 4 MiB of memory. The library makes room for an array as soon as it has read how many
// elements follow, and its limit counts elements. So the limit is set for the largest element that
// arrays of the types have.
func Config(types ...Type) avro.Config {
	largest := reflect.TypeFor[any]().Size() // of arrays that are read into a value of type any
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Slice:
			largest = max(largest, t.Elem().Size())
			walk(t.Elem())
		case reflect.Pointer, reflect.Array, reflect.Map:
			walk(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				walk(t.Field(i).Type)
			}
		}
	}
	for _, t := range types {
		walk(t.t)
	}
	return avro.Config{MaxByteSliceSize: maxValue, MaxSliceAllocSize: max(1, maxValue/int(largest))}
}

// New returns a codec for the types, with the limits of [Config].
func New(types ...Type) (*Codec, error) { return NewConfig(Config(types...), types...) }

// NewConfig returns a codec for the types, with the library's options in config.
func NewConfig(config avro.Config, types ...Type) (*Codec, error) {
	c := &Codec{config: config, schemas: map[reflect.Type]avro.Schema{}}
	for _, t := range types {
		// Not the global cache: the schemas of different types may use the same names.
		s, err := avro.ParseWithCache(t.schema, "", &avro.SchemaCache{})
		if err != nil {
			return nil, fmt.Errorf("avrox: schema of %v: %w", t.t, err)
		}
		c.schemas[t.t] = s
	}
	c.engines = &sync.Pool{New: func() any { return newEngine(config) }}
	return c, nil
}

// engine is what one goroutine needs at a time. Engines do not share an API, because the library's
// codec of a uint64 keeps a buffer between calls.
type engine struct {
	w *avro.Writer
	r *avro.Reader
}

func newEngine(config avro.Config) *engine {
	api := config.Freeze()
	return &engine{
		w: avro.NewWriter(nil, 512, avro.WithWriterConfig(api)),
		r: avro.NewReader(nil, 0, avro.WithReaderConfig(api)),
	}
}

// schemaOf returns the schema for a T or *T.
func (c *Codec) schemaOf(v any) (avro.Schema, error) {
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, ok := c.schemas[t]; ok {
		return s, nil
	}
	return nil, fmt.Errorf("%w: no schema for this type; hand avrox.New one by avrox.For", codec.ErrUnsupported)
}

// Name returns "avro".
func (*Codec) Name() string { return "avro" }

// MediaTypes returns application/avro, which is common, and avro/binary, from the specification's
// "HTTP as Transport".
func (*Codec) MediaTypes() []string { return mediaTypes }

var mediaTypes = []string{"application/avro", "avro/binary"}

// Marshal returns one message.
func (c *Codec) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends one message. The library copies it once from a buffer of its own.
func (c *Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if adapt.IsNil(v) {
		return dst, codec.NewError(c, codec.OpMarshal, v, codec.ErrNilValue)
	}
	schema, err := c.schemaOf(v)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, err)
	}
	e := c.engines.Get().(*engine)
	e.w.Reset(nil)
	e.w.Error = nil
	e.w.WriteVal(schema, v)
	if err := e.w.Error; err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classed(err))
	}
	dst = append(dst, e.w.Buffer()...)
	c.engines.Put(e)
	return dst, nil
}

// Unmarshal reads one message. It sets v to zero first: for an empty array the library would keep
// the old elements.
func (c *Codec) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	target := reflect.ValueOf(v)
	schema, err := c.schemaOf(v)
	if err == nil && target.Kind() != reflect.Pointer {
		err = codec.WithClass(codec.ClassType, errors.New("the target is not a pointer; pass &v"))
	}
	if err != nil {
		return codec.NewError(c, codec.OpUnmarshal, v, err)
	}
	target.Elem().SetZero()
	e := c.engines.Get().(*engine)
	e.r.Reset(b)
	e.r.Error = nil
	e.r.ReadVal(schema, v)
	if err = e.r.Error; err == nil {
		e.r.Peek()
		if e.r.Error == nil {
			err = codec.ErrTrailingData
		}
	}
	if err == nil {
		e.r.Reset(nil)
		c.engines.Put(e)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classed(err))
}

func classed(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF // io.EOF is for streams
	}
	return classes.Of(err)
}

// classes recognises the library's errors by their texts, because they have no types of their own.
var classes = adapt.Classes{
	{codec.ClassType, adapt.Says("is unsupported for Avro")},
	{codec.ClassSchema, adapt.Says("unknown union type")},
	{codec.ClassLimit, adapt.Says("size is greater than")},
	{codec.ClassLimit, adapt.Says("`Config.Max")},
	{codec.ClassSyntax, adapt.Says("EOF")},
	{codec.ClassSyntax, adapt.Says("invalid")},
	{codec.ClassSyntax, adapt.Says("int overflow")},
	{codec.ClassSyntax, adapt.Says("long overflow")},
	{codec.ClassSchema, adapt.Says("unknown enum")},
}
