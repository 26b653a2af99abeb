package load

import (
	"context"
	"encoding"
	"encoding/json"
	"net/http"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
)

// Reflection is the oracle for what the loader says of real types: kinds,
// sizes, offsets, names, method sets, comparability, all the way down.
func TestAgainstReflection(t *testing.T) {
	if reflect.TypeFor[uintptr]().Size() != 8 {
		t.Skip("the IR describes 64-bit machines")
	}
	p, err := Load(context.Background(), Config{}, "net/http")
	if err != nil {
		t.Fatal(err)
	}
	if p.Module != nil {
		t.Errorf("the standard library has module %+v", p.Module)
	}
	roots := []struct {
		name string
		want reflect.Type
	}{
		{"Request", reflect.TypeFor[http.Request]()},
		{"Server", reflect.TypeFor[http.Server]()},
		{"Cookie", reflect.TypeFor[http.Cookie]()},
		{"Transport", reflect.TypeFor[http.Transport]()},
	}
	c := &comparer{t: t, seen: map[*ir.Type]bool{}}
	for _, r := range roots {
		k, err := p.Build(r.name)
		if err != nil {
			t.Fatal(err)
		}
		c.compare(r.name, k.Roots[0], r.want)
	}
	if len(c.seen) < 200 {
		t.Errorf("compared only %d types", len(c.seen))
	}
}

type comparer struct {
	t    *testing.T
	seen map[*ir.Type]bool
}

var reflectKinds = map[ir.Kind]reflect.Kind{
	ir.Bytes: reflect.Slice, ir.Any: reflect.Interface, ir.Time: reflect.Struct, ir.Duration: reflect.Int64,
	ir.BigInt: reflect.Struct, ir.BigFloat: reflect.Struct, ir.BigRat: reflect.Struct,
	ir.RawJSON: reflect.Slice, ir.Number: reflect.String, ir.Unsafe: reflect.UnsafePointer, ir.Pointer: reflect.Pointer,
}

func (c *comparer) compare(path string, got *ir.Type, want reflect.Type) {
	if c.seen[got] {
		return
	}
	c.seen[got] = true
	kind, ok := reflectKinds[got.Kind]
	if ok && kind != want.Kind() || !ok && got.Kind.String() != want.Kind().String() {
		c.t.Fatalf("%s: kind %s, want %s", path, got.Kind, want.Kind())
	}
	if got.Size != int64(want.Size()) || got.Align != int64(want.Align()) {
		c.t.Errorf("%s: size %d align %d, want %d and %d", path, got.Size, got.Align, want.Size(), want.Align())
	}
	if got.Compare && !want.Comparable() {
		c.t.Errorf("%s: comparable", path)
	}
	if got.Name != nil && want.Name() != "" && len(got.Name.Args) == 0 && (got.Name.Name != want.Name() || got.Name.Pkg != want.PkgPath()) {
		c.t.Errorf("%s: named %s.%s, want %s.%s", path, got.Name.Pkg, got.Name.Name, want.PkgPath(), want.Name())
	}
	c.hooks(path, got.Hooks, want)
	if got.Elem != nil {
		c.compare(path+"[]", got.Elem, want.Elem())
	}
	if got.Key != nil {
		c.compare(path+"[key]", got.Key, want.Key())
	}
	for i, f := range got.Fields {
		w := want.Field(i)
		if f.Name != w.Name || f.Offset != int64(w.Offset) || f.Tag != string(w.Tag) || f.Embedded != w.Anonymous ||
			f.Exported != w.IsExported() || f.Pos.Line == 0 {
			c.t.Errorf("%s.%s: %+v, want %+v", path, f.Name, f, w)
		}
		c.compare(path+"."+f.Name, f.Type, w.Type)
	}
}

func (c *comparer) hooks(path string, got ir.Hooks, want reflect.Type) {
	for _, h := range []struct {
		iface      reflect.Type
		value, ptr ir.Hooks
	}{
		{reflect.TypeFor[json.Marshaler](), ir.HasMarshalJSON, ir.HasMarshalJSONPtr},
		{reflect.TypeFor[json.Unmarshaler](), ir.HasUnmarshalJSON, ir.HasUnmarshalJSONPtr},
		{reflect.TypeFor[encoding.TextMarshaler](), ir.HasMarshalText, ir.HasMarshalTextPtr},
		{reflect.TypeFor[encoding.TextUnmarshaler](), ir.HasUnmarshalText, ir.HasUnmarshalTextPtr},
		{reflect.TypeFor[encoding.BinaryMarshaler](), ir.HasMarshalBinary, ir.HasMarshalBinaryPtr},
		{reflect.TypeFor[encoding.BinaryUnmarshaler](), ir.HasUnmarshalBinary, ir.HasUnmarshalBinaryPtr},
		{reflect.TypeFor[interface{ IsZero() bool }](), ir.HasIsZero, ir.HasIsZeroPtr},
	} {
		if got.Has(h.value) != want.Implements(h.iface) ||
			got.Has(h.ptr) != (want.Implements(h.iface) || reflect.PointerTo(want).Implements(h.iface)) {
			c.t.Errorf("%s: hooks %b do not match %s", path, got, h.iface)
		}
	}
}
