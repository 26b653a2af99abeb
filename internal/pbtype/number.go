package pbtype

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/internal/pbwire"
)

// Numbers returns struct tags for the exported fields of the struct t that have neither a struct tag
// proto nor protobuf: numbers above the largest in use, in the order of declaration. Fields that JSON
// leaves out are left out, by proto:"-". It returns nil if every field has a tag.
func Numbers[T, F comparable](src Source[T, F], t T) map[F]string {
	var last int32
	var bare []int
	fields := src.FieldsOf(t)
	for i, f := range fields {
		tag, ok, bad := parseTag(f.Tag)
		switch {
		case bad != nil:
		case ok:
			last = max(last, tag.Number)
		case f.Exported && !strings.HasPrefix(f.Name, "XXX_") && !src.IsProtoUnknown(f.Type):
			bare = append(bare, i)
		}
	}
	out := map[F]string{}
	for _, i := range bare {
		if fields[i].Tag.Get("json") == "-" {
			out[fields[i].Of] = `proto:"-"`
			continue
		}
		if last++; last >= pbwire.FirstReserved && last <= pbwire.LastReserved {
			last = pbwire.LastReserved + 1
		}
		out[fields[i].Of] = fmt.Sprintf(`proto:"%d"`, last)
	}
	return out
}
