package load

import (
	"go/token"
	"go/types"

	"github.com/zmylab/zmy/gen/ir"
)

// hook is a method with which a type encodes or decodes itself: its name, its signature, and its
// bits for T and for *T.
type hook struct {
	name       string
	sig        *types.Signature
	value, ptr ir.Hooks
}

var (
	bytesType = types.NewSlice(types.Typ[types.Byte])
	errorType = types.Universe.Lookup("error").Type()

	addBytes  = signature([]types.Type{bytesType}, bytesType, errorType)
	toBytes   = signature(nil, bytesType, errorType)
	fromBytes = signature([]types.Type{bytesType}, errorType)
)

var hooks = []hook{
	{"MarshalJSON", toBytes, ir.HasMarshalJSON, ir.HasMarshalJSONPtr},
	{"UnmarshalJSON", fromBytes, ir.HasUnmarshalJSON, ir.HasUnmarshalJSONPtr},
	{"MarshalText", toBytes, ir.HasMarshalText, ir.HasMarshalTextPtr},
	{"UnmarshalText", fromBytes, ir.HasUnmarshalText, ir.HasUnmarshalTextPtr},
	{"MarshalBinary", toBytes, ir.HasMarshalBinary, ir.HasMarshalBinaryPtr},
	{"UnmarshalBinary", fromBytes, ir.HasUnmarshalBinary, ir.HasUnmarshalBinaryPtr},
	{"IsZero", signature(nil, types.Typ[types.Bool]), ir.HasIsZero, ir.HasIsZeroPtr},
	{"AppendZMY", addBytes, ir.HasAppendZMY, ir.HasAppendZMYPtr},
	{"AppendText", addBytes, ir.HasAppendText, ir.HasAppendTextPtr},
	{"AppendBinary", addBytes, ir.HasAppendBinary, ir.HasAppendBinaryPtr},
	{"UnmarshalZMY", fromBytes, 0, ir.HasUnmarshalZMYPtr},
	{"AfterUnmarshalZMY", signature(nil, errorType), 0, ir.HasAfterUnmarshalZMYPtr},
}

func signature(params []types.Type, results ...types.Type) *types.Signature {
	tuple := func(list []types.Type) *types.Tuple {
		var vars []*types.Var
		for _, t := range list {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", t))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(params), tuple(results), false)
}

// hooksOf returns the hooks of T and *T: all of them, and those that are not promoted from an
// embedded field. A method with another signature is not a hook.
func hooksOf(t types.Type) (all, own ir.Hooks) {
	value := types.NewMethodSet(t)
	ptr := value
	if !types.IsInterface(t) {
		if _, isPtr := t.Underlying().(*types.Pointer); !isPtr {
			ptr = types.NewMethodSet(types.NewPointer(t))
		}
	}
	add := func(ms *types.MethodSet, k hook, bit ir.Hooks) {
		if sel := ms.Lookup(nil, k.name); sel != nil && types.Identical(sel.Type(), k.sig) {
			all |= bit
			if len(sel.Index()) == 1 {
				own |= bit
			}
		}
	}
	for _, k := range hooks {
		add(value, k, k.value)
		add(ptr, k, k.ptr)
	}
	return all, own
}
