package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/lab/quantity"
)

// landmark is a size at which the runtime or the machine behaves differently.
type landmark struct {
	size float64
	text string
}

// landmarks returns the landmarks of this machine.
func landmarks() []landmark {
	out := []landmark{{32 << 10, "Go's limit of small objects, 32 KiB: larger ones come from the heap's pages one by one"}}
	return append(out, caches("/sys/devices/system/cpu/cpu0/cache")...)
}

// caches reads the caches of one processor as Linux describes them.
func caches(dir string) (out []landmark) {
	found, _ := filepath.Glob(filepath.Join(dir, "index*")) // the pattern is valid
	for _, d := range found {
		read := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(d, name)) // parse refuses the empty text of a file that cannot be read
			return strings.TrimSpace(string(b))
		}
		if n, err := parse(read("size")); err == nil && read("type") != "Instruction" {
			out = append(out, landmark{n, fmt.Sprintf("the L%s cache of %s", read("level"), quantity.Bytes(n))})
		}
	}
	return out
}

// factor is the largest ratio between a knee and a landmark for which the knee is named after the
// landmark. It is larger than 1 because a value, its encoding and other data share a cache. So the
// cache is full before one of them is as large as the cache.
const factor = 1.6

// name returns the text of the landmark nearest to a size, or "" if none is near enough.
func name(size float64, marks []landmark) string {
	best, off := "", factor
	for _, m := range marks {
		if r := max(size/m.size, m.size/size); r < off {
			best, off = m.text, r
		}
	}
	return best
}
