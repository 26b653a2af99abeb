package protort

import (
	"math/bits"

	"github.com/zmylab/zmy/internal/pbtype"
	"github.com/zmylab/zmy/internal/pbvalue"
)

// Value writes the length of a google.protobuf.Value and its content. It makes room itself.
func Value(b []byte, i int, x any, e *Encoder, left int) ([]byte, int) {
	return dynamic(b, i, pbtype.DynamicValue, x, e, left)
}

// Struct is Value for a google.protobuf.Struct.
func Struct(b []byte, i int, x map[string]any, e *Encoder, left int) ([]byte, int) {
	return dynamic(b, i, pbtype.DynamicStruct, x, e, left)
}

// List is Value for a google.protobuf.ListValue.
func List(b []byte, i int, x []any, e *Encoder, left int) ([]byte, int) {
	return dynamic(b, i, pbtype.DynamicList, x, e, left)
}

func dynamic(b []byte, i int, k pbtype.Kind, x any, e *Encoder, left int) ([]byte, int) {
	v := pbvalue.Encoder{B: b[:i], Lengths: &e.lengths, Sorted: e.Sorted}
	v.Append(k, x, left)
	if v.Err != nil {
		return b, -1
	}
	return v.B[:cap(v.B)], len(v.B)
}

// tooDeep makes every sum of lengths negative.
const tooDeep = -1 << (bits.UintSize - 2)

// SizeValue returns the number of bytes that Value writes, a large negative number if x is too deep.
func SizeValue(x any, left int) int { return sizeDynamic(pbtype.DynamicValue, x, left) }

// SizeStruct is SizeValue for Struct.
func SizeStruct(x map[string]any, left int) int { return sizeDynamic(pbtype.DynamicStruct, x, left) }

// SizeList is SizeValue for List.
func SizeList(x []any, left int) int { return sizeDynamic(pbtype.DynamicList, x, left) }

func sizeDynamic(k pbtype.Kind, x any, left int) int {
	n := pbvalue.Size(k, x, left)
	if n < 0 {
		return tooDeep
	}
	return SizeBytes(n)
}

// MergeValue merges the google.protobuf.Value b into x, and returns the result.
func MergeValue(d *Decoder, x any, b []byte, left int) (any, bool) {
	v := pbvalue.Decoder{B: b, Budget: d, Store: true}
	return v.Merge(pbtype.DynamicValue, x, 0, len(b), left)
}

// MergeStruct is MergeValue for a google.protobuf.Struct.
func MergeStruct(d *Decoder, x map[string]any, b []byte, left int) (map[string]any, bool) {
	v := pbvalue.Decoder{B: b, Budget: d, Store: true}
	return v.Object(x, 0, len(b), left)
}

// MergeList is MergeValue for a google.protobuf.ListValue.
func MergeList(d *Decoder, x []any, b []byte, left int) ([]any, bool) {
	v := pbvalue.Decoder{B: b, Budget: d, Store: true}
	return v.List(x, 0, len(b), left)
}

// ValidValue is MergeValue without a result.
func (d *Decoder) ValidValue(b []byte, left int) bool { return d.valid(pbtype.DynamicValue, b, left) }

// ValidStruct is MergeStruct without a result.
func (d *Decoder) ValidStruct(b []byte, left int) bool { return d.valid(pbtype.DynamicStruct, b, left) }

// ValidList is MergeList without a result.
func (d *Decoder) ValidList(b []byte, left int) bool { return d.valid(pbtype.DynamicList, b, left) }

func (d *Decoder) valid(k pbtype.Kind, b []byte, left int) bool {
	v := pbvalue.Decoder{B: b, Budget: d}
	_, ok := v.Merge(k, nil, 0, len(b), left)
	return ok
}

// Aliases and PlainText are what package pbvalue asks a budget for.
func (d *Decoder) Aliases() bool { return d.alias }

// PlainText returns b, which is charged already, as a string.
func (d *Decoder) PlainText(b []byte) string {
	if d.share || !shares {
		return text(b)
	}
	return text(d.place(b))
}
