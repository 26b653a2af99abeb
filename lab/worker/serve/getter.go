package serve

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/worker"
)

// getter returns the accessor of a JSON library that reads one string by its path. It returns a
// zero Accessor if there is no leaf, if the codec has other accessors, or if the path does not lead
// to the leaf in all values. That may happen because the JSON of a type can differ from its fields.
func (b *binding[T, N]) getter() (worker.Accessor, error) {
	if b.Codec.Get == nil || b.subject.Leaf == nil || len(b.Codec.Accessors) > 0 {
		return worker.Accessor{}, nil
	}
	path, ok := jsonPath(reflect.TypeFor[T](), b.subject.LeafPath)
	if !ok {
		return worker.Accessor{}, nil
	}
	in, err := b.Read()
	if err != nil {
		return worker.Accessor{}, err
	}
	get := b.Codec.Get(path)
	for i := range in {
		if s, err := get(in[i]); err != nil || s != b.subject.Leaf(&b.origin[i]) {
			return worker.Accessor{}, nil
		}
	}
	return worker.Accessor{Mode: "get", Path: b.subject.LeafPath, New: func() func([]byte) (string, error) {
		return b.Codec.Get(path)
	}}, nil
}

// jsonPath translates a path of Go fields, such as Base.Items[0].Sku, into the names and indices
// that lead to the same place in the type's JSON.
func jsonPath(t reflect.Type, path string) (out []any, ok bool) {
	for part := range strings.SplitSeq(path, ".") {
		name, indices, _ := strings.Cut(part, "[")
		if name != "" {
			for t.Kind() == reflect.Pointer {
				t = t.Elem()
			}
			if t.Kind() != reflect.Struct {
				return nil, false
			}
			f, found := t.FieldByName(name)
			if !found {
				return nil, false
			}
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case tag == "-":
				return nil, false
			case tag != "":
				out = append(out, tag)
			case !f.Anonymous:
				out = append(out, name)
			case underlying(f.Type).Kind() != reflect.Struct:
				out = append(out, name)
			} // JSON puts the members of an embedded struct into the object around it
			t = f.Type
		}
		for index := range strings.SplitSeq(strings.TrimSuffix(indices, "]"), "][") {
			if index == "" {
				continue
			}
			n, err := strconv.Atoi(index)
			if t = underlying(t); err != nil || t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
				return nil, false
			}
			out, t = append(out, n), t.Elem()
		}
	}
	return out, true
}

func underlying(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}
