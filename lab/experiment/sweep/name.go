package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
)

// landmark is a size that means something to the runtime or the machine.
type landmark struct {
	size float64
	text string
}

// landmarks are those of this machine.
func landmarks() []landmark {
	out := []landmark{{32 << 10, "Go's limit of small objects, 32 KiB: larger ones come from the heap's pages one by one"}}
	return append(out, caches("/sys/devices/system/cpu/cpu0/cache")...)
}

// caches reads the caches of one processor as Linux describes them.
func caches(dir string) (out []landmark) {
	found, _ := filepath.Glob(filepath.Join(dir, "index*")) // the pattern is sound
	for _, d := range found {
		read := func(name string) string {
			b, err := os.ReadFile(filepath.Join(d, name))
			if err != nil {
				return ""
			}
			return strings.TrimSpace(string(b))
		}
		level, kind, text := read("level"), read("type"), read("size")
		unit := 1.0
		switch {
		case strings.HasSuffix(text, "K"):
			unit = 1 << 10
		case strings.HasSuffix(text, "M"):
			unit = 1 << 20
		}
		n, err := strconv.ParseFloat(strings.TrimRight(text, "KM"), 64)
		if err != nil || kind == "Instruction" {
			continue
		}
		n *= unit
		out = append(out, landmark{n, fmt.Sprintf("the L%s cache of %s", level, quantity.Bytes(n))})
	}
	return out
}

// factor is how near a knee must be to a landmark to be named after it. A value, its
// bytes and what else is in use share a cache, so that it is full at a part of its size.
const factor = 1.6

// name is the landmark nearest to a size.
func name(size float64, marks []landmark) string {
	best, off := "", factor
	for _, m := range marks {
		r := size / m.size
		if r < 1 {
			r = 1 / r
		}
		if r < off {
			best, off = m.text, r
		}
	}
	return best
}
