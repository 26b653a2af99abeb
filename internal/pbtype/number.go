package pbtype

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/internal/pbwire"
	"github.com/zmylab/zmy/internal/zmytype"
)

// Numbers returns struct tags for the exported fields of the struct t that have neither a struct tag
// proto nor protobuf: numbers above the largest in use, in the order of declaration, without those of
// reserved. Fields that JSON leaves out are left out, by proto:"-". Types without exported fields are
// written by their own methods, if they have these. The tag is empty if no number is left. Numbers
// returns nothing if every field has a tag.
func Numbers[T, F comparable](src Source[T, F], t T, reserved Ranges) map[F]string {
	var last int64
	var bare []int
	fields := src.FieldsOf(t)
	for i, f := range fields {
		tag, ok, bad := parseTag(f.Tag)
		switch {
		case bad != nil:
		case ok:
			last = max(last, int64(tag.Number))
		case f.Exported && !strings.HasPrefix(f.Name, "XXX_") && !src.IsProtoUnknown(f.Type):
			bare = append(bare, i)
		}
	}
	reserved = reserved.Union(Ranges{{pbwire.FirstReserved, pbwire.LastReserved}})
	out := map[F]string{}
	for _, i := range bare {
		if fields[i].Tag.Get("json") == "-" {
			out[fields[i].Of] = `proto:"-"`
			continue
		}
		if last = reserved.Next(last + 1); last > MaxField {
			out[fields[i].Of] = ""
			continue
		}
		out[fields[i].Of] = fmt.Sprintf(`proto:"%d%s"`, last, ownIn(src, fields[i].Type))
	}
	return out
}

// ownIn returns the option of a field with type t, if its values have no other form than that of their own
// methods.
func ownIn[T, F comparable](src Source[T, F], t T) string {
	lead := ","
	switch src.KindOf(t) {
	case zmytype.Map:
		lead = ",val:"
		t = src.ElemOf(t)
	case zmytype.Slice, zmytype.Pointer:
		t = src.ElemOf(t)
	}
	switch src.KindOf(t) {
	case zmytype.BigInt, zmytype.BigFloat, zmytype.BigRat:
	case zmytype.Struct:
		for _, f := range src.FieldsOf(t) {
			if f.Exported {
				return ""
			}
		}
	default:
		return ""
	}
	if own := ownOption(src, t); own != "" {
		return lead + own
	}
	return ""
}
