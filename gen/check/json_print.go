package check

import (
	"reflect"
	"slices"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/internal/jsonprint"
)

// prints returns the fingerprints of a package's roots. At run time fxjson/jsonrt/stale.go computes
// the same by reflection, to compare.
func prints(p *ir.Package) map[*ir.Type]ir.JSONPrint {
	out := map[*ir.Type]ir.JSONPrint{}
	for _, t := range p.Roots {
		out[t] = ir.JSONPrint{
			Plain:   jsonprint.Of[*ir.Type](printSource{}, t),
			Methods: jsonprint.Of[*ir.Type](printSource{p.Roots}, t),
		}
	}
	return out
}

// printSource describes types for their fingerprint. It ignores the methods MarshalJSON and
// UnmarshalJSON of the types in own, since they will be generated.
type printSource struct{ own []*ir.Type }

func (s printSource) Head(t *ir.Type) jsonprint.Head {
	h := jsonprint.Head{Kind: printKind(t.Kind)}
	switch t.Kind {
	case ir.Time, ir.RawJSON, ir.Number:
		return h
	case ir.Pointer:
		if t.Name == nil {
			return h
		}
	case ir.Array:
		h.Len = int(t.Len)
	}
	h.Hooks = printHooks(t)
	if slices.Contains(s.own, t) {
		h.Hooks &^= jsonprint.MarshalJSON | jsonprint.MarshalJSONPtr | jsonprint.UnmarshalJSON | jsonprint.UnmarshalJSONPtr
	}
	return h
}

func printHooks(t *ir.Type) jsonprint.Hooks {
	out := jsonprint.Hooks(t.Hooks & (ir.HasIsZeroPtr<<1 - 1)) // the bits of ir.Hooks and jsonprint.Hooks are the same
	if t.Name == nil && t.Kind == ir.Struct {                  // reflection may not know the methods of *T here
		const byValue = jsonprint.MarshalJSON | jsonprint.UnmarshalJSON | jsonprint.MarshalText | jsonprint.UnmarshalText | jsonprint.IsZero
		out &= byValue
		out |= out << 1
	}
	return out
}

// printKind returns the name that package reflect gives to a kind.
func printKind(k ir.Kind) string {
	switch k {
	case ir.Bytes:
		return "slice"
	case ir.Pointer:
		return "ptr"
	case ir.Duration:
		return "int64"
	case ir.BigInt, ir.BigFloat, ir.BigRat:
		return "struct"
	case ir.Time:
		return "time"
	case ir.RawJSON:
		return "raw"
	case ir.Number:
		return "number"
	}
	return k.String()
}

func (printSource) Elems(t *ir.Type) (out []*ir.Type) {
	switch t.Kind {
	case ir.Map:
		return []*ir.Type{t.Key, t.Elem}
	case ir.Pointer, ir.Bytes, ir.Slice, ir.Array:
		return []*ir.Type{t.Elem}
	}
	return nil
}

func (printSource) NumField(t *ir.Type) int { return len(t.Fields) }

func (printSource) Field(t *ir.Type, i int) jsonprint.Field[*ir.Type] {
	f := t.Fields[i]
	return jsonprint.Field[*ir.Type]{Name: f.Name, Tag: reflect.StructTag(f.Tag), Embedded: f.Embedded, Exported: f.Exported, Type: f.Type}
}
