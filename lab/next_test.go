package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
)

// hard has a field of each kind that some codec cannot carry, each on a line of its own. It
// imports nothing large, as it is resolved dozens of times.
const hard = `package m

import (
	"archive/tar"
	"encoding/json"
	"math/big"
	"net/netip"
	"time"
	"unsafe"
)

type Doc struct {
	ID      string
	Chan    chan int
	Func    func() error
	Complex complex128
	Any     any
	Map     map[string]any
	Keys    map[int]string
	Struct  map[Key]string
	Face    Shape
	Raw     json.RawMessage
	Number  json.Number
	Big     *big.Int
	Float   *big.Float
	Array   [4]int16
	Nested  [][]map[string][]int
	Time    time.Time
	Span    time.Duration
	Addr    netip.Addr
	Plain   unsafe.Pointer
	Deep    Deep
	Self    *Doc
	Ptrs    []**int
	Anon    struct{ A chan bool }
	Foreign tar.Header
	Uint    uintptr
}

type Deep struct {
	OK   int
	Sink []chan<- string
}

type Key struct{ A, B int }

type Shape interface{ Area() float64 }
`

// tagAdvice is advice to leave a field out.
var tagAdvice = regexp.MustCompile("(json|zmy|proto):\"-\"")

// TestTagsThatAreAdvisedHelp follows the advice on codecs that cannot carry a type, as long as
// it asks for struct tags: each tag takes its field out of what is at fault, until the codec
// carries the type or says something else.
func TestTagsThatAreAdvisedHelp(t *testing.T) {
	if testing.Short() {
		t.Skip("it resolves a package dozens of times")
	}
	followed, skipped, targets := 0, 0, resolved{}
	for _, info := range table.All() {
		if info.Plan == nil || info.Family == contender.FamilyFloor {
			continue
		}
		skipped++ // unless flag -run names it
		t.Run(info.Name, func(t *testing.T) {
			skipped--
			src := hard
			var asked []string
			for range 30 {
				l, target := targets.of(t, src)
				why := info.Plan(target)
				if why == nil {
					t.Logf("carries the type without %q", asked)
					return
				}
				l.nameModules(why)
				lines := advised(append([]*run.Why{why}, why.More...))
				if len(lines) == 0 {
					t.Logf("after %q: %s → %s", asked, why.What, why.Next)
					if why.Next == "" {
						t.Errorf("%s: nothing is said of what next", why.What)
					}
					return
				}
				for line, tag := range lines {
					key := fmt.Sprint(tag, line)
					if slices.Contains(asked, key) {
						t.Fatalf("%s: line %d has the tag %s, and it is asked for again: %s", why.What, line, tag, why.Next)
					}
					asked, src = append(asked, key), tagged(t, src, line, tag)
					followed++
				}
			}
			t.Errorf("no end of advice: %q", asked)
		})
	}
	if followed < 20 && skipped == 0 {
		t.Errorf("%d tags were advised", followed)
	}
}

// advised are the tags that problems ask for, by the lines of their fields.
func advised(problems []*run.Why) map[int]string {
	out := map[int]string{}
	for _, p := range problems {
		tag := tagAdvice.FindString(p.Next)
		_, at, ok := strings.Cut(p.Where, ":")
		if n, err := strconv.Atoi(at); tag != "" && ok && err == nil {
			out[n] = tag
		}
	}
	return out
}

// tagged is src with a tag at the field of a line.
func tagged(t *testing.T, src string, line int, tag string) string {
	t.Helper()
	lines := strings.Split(src, "\n")
	at := line - 1
	if at >= len(lines) || !strings.HasPrefix(lines[at], "\t") {
		t.Fatalf("line %d has no field, and is to have the tag %s", line, tag)
	}
	if old, ok := strings.CutSuffix(lines[at], "`"); ok {
		lines[at] = old + " " + tag + "`"
	} else {
		lines[at] += " `" + tag + "`"
	}
	return strings.Join(lines, "\n")
}

// resolved are the targets of sources that were asked for.
type resolved map[string]*Opened

// of resolves type Doc of a module that holds src alone.
func (r resolved) of(t *testing.T, src string) (*Opened, *contender.Target) {
	t.Helper()
	l := r[src]
	if l == nil {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.24\n", "m.go": src} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := plan.Resolve(t.Context(), plan.Options{Dir: dir, Package: ".", Type: "Doc",
			Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")})
		if err != nil {
			t.Fatal(err)
		}
		l = &Opened{subject: s}
		r[src] = l
	}
	return l, &contender.Target{IR: l.subject.IR, Root: l.subject.Root, Expr: l.subject.Expr}
}
