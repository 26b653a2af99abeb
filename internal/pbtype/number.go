package pbtype

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/internal/pbwire"
)

// Numbers returns struct tags for the exported fields of the struct t that have neither a struct tag
// proto nor protobuf: numbers above the largest in use, in the order of declaration, without those of
// reserved. Fields that JSON leaves out are left out, by proto:"-". The tag is empty if no number is
// left. Numbers returns nothing if every field has a tag.
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
		out[fields[i].Of] = fmt.Sprintf(`proto:"%d"`, last)
	}
	return out
}
