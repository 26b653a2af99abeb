package stats

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/run"
)

// Steps says how the subject's program takes up codec as it was measured. The baseline
// needs no step; a codec that does not say gets its modules to require.
func Steps(r *run.Run, codec string) []string {
	c := Contender(r, codec)
	if c == nil || codec == run.Baseline {
		return nil
	}
	a := c.Adopt
	if a == nil {
		var out []string
		for _, m := range c.Modules {
			out = append(out, fmt.Sprintf("%s: go get %s@%s", codec, m.Path, m.Version))
		}
		return out
	}
	var out []string
	generate := a.Generate
	if r.Subject.Derived && a.Derive != "" {
		generate = a.Derive
	}
	if a.Install != "" {
		version := "latest"
		if len(c.Modules) > 0 && c.Modules[0].Version != "" {
			version = c.Modules[0].Version
		}
		out = append(out, fmt.Sprintf("%s: %s", codec, strings.ReplaceAll(a.Install, "VERSION", version)))
	}
	if generate != "" {
		typ := strings.ReplaceAll(r.Subject.Type, ", ", ",") // a space ends an argument of go:generate
		out = append(out, fmt.Sprintf("%s: //go:generate %s", codec, strings.ReplaceAll(generate, "TYPE", typ)))
	}
	if a.Same {
		return append(out, fmt.Sprintf("%s: import %q in place of \"encoding/json\"; the calls stay", codec, a.Import))
	}
	if a.Setup != "" {
		out = append(out, fmt.Sprintf("%s: as measured, with %s", codec, a.Setup))
	}
	marshal, unmarshal := a.Marshal, a.Unmarshal
	if a.Limit > 0 && c.Sizes.Max > float64(a.Limit) {
		most := strconv.Itoa(1 << bits.Len(uint(2*c.Sizes.Max)-1)) // room for values twice as large
		marshal, unmarshal = strings.ReplaceAll(a.MarshalLarge, "MAX", most), strings.ReplaceAll(a.UnmarshalLarge, "MAX", most)
	}
	from := ""
	if a.Import != "" {
		from = fmt.Sprintf("import %q; ", a.Import)
	}
	return append(out, fmt.Sprintf("%s: %sjson.Marshal(v) → %s; json.Unmarshal(b, &v) → %s", codec, from, marshal, unmarshal))
}
