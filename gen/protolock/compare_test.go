package protolock_test

import (
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zmylab/zmy/gen/protolock"
	"github.com/zmylab/zmy/schema"
)

// apply makes an edit of the source. All changes are of the text as it was before.
func (e edit) apply(t *testing.T, src string) string {
	t.Helper()
	var pairs []string
	for i := 0; i < len(e.change); i += 2 {
		from, to := e.change[i], e.change[i+1]
		if token.IsIdentifier(from) {
			lines := strings.SplitAfter(src, "\n")
			at := slices.IndexFunc(lines, func(l string) bool {
				return strings.HasPrefix(strings.TrimLeft(l, "\t"), from+" ") && strings.Contains(l, "`proto:")
			})
			if at < 0 {
				t.Fatalf("there is no field %s", from)
			}
			if from = lines[at]; to != "" {
				to = "\t" + to + "\n"
			}
		} else if strings.Count(src, from) != 1 {
			t.Fatalf("%q occurs %d times", from, strings.Count(src, from))
		}
		pairs = append(pairs, from, to)
	}
	for i := 0; i < len(pairs); i += 2 {
		src = strings.Replace(src, pairs[i], fmt.Sprintf("\x00%d\x00", i), 1)
	}
	for i := 0; i < len(pairs); i += 2 {
		src = strings.Replace(src, fmt.Sprintf("\x00%d\x00", i), pairs[i+1], 1)
	}
	return src
}

// TestEdits compares the golden shop with edits of it. Each must be reported by its rule, or not at all.
// protobuf-go judges: it reads messages of before by the edited types, and the reverse. With -update it
// writes what is said of each edit to a file.
func TestEdits(t *testing.T) {
	src := source(t)
	folders := map[string]string{"base/in.go": src}
	for i, e := range edits {
		folders[fmt.Sprintf("e%03d/in.go", i)] = e.apply(t, src)
	}
	dir := module(t, folders)
	_, base := compared(t, filepath.Join(dir, "base"), nil)
	text := strings.Replace(string(base.Next.Text()), "\treserved 40\n", "\t41 gone string reserved\n\treserved 40\n", 1)
	before := descriptors(t, parse(t, text))
	said := make([]string, len(edits))
	counts := make([]schema.Severity, len(edits))
	t.Run("each", func(t *testing.T) {
		for i, e := range edits {
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				_, c := compared(t, filepath.Join(dir, fmt.Sprintf("e%03d", i)), parse(t, text))
				for _, ch := range c.Changes {
					said[i] += fmt.Sprintf("\t%s: %v\n", ch.Level, ch.Problem())
					counts[i] = max(counts[i], ch.Level)
				}
				judge(t, e, c, before)
			})
		}
	})
	var all strings.Builder
	sum := map[schema.Severity]int{}
	for i, e := range edits {
		fmt.Fprintf(&all, "%s\n%s", e.name, said[i])
		sum[counts[i]]++
	}
	same(t, filepath.Join(golden, "want.edits"), all.String())
	t.Logf("%d edits that break, %d that warn, %d that are safe", sum[schema.Breaking], sum[schema.Warning], sum[schema.Safe])
	if sum[schema.Breaking] < 40 || sum[schema.Safe] < 40 {
		t.Error("at least 40 of each are wanted")
	}
}

// judge compares what is said of an edit with what protobuf-go does.
func judge(t *testing.T, e edit, c protolock.Comparison, before map[string]protoreflect.MessageDescriptor) {
	worst := schema.Safe
	for _, ch := range c.Changes {
		worst = max(worst, ch.Level)
	}
	reported := slices.ContainsFunc(c.Changes, func(ch protolock.Change) bool { return ch.ID == e.rule })
	if e.rule == "" && len(c.Changes) > 0 || e.rule != "" && !reported {
		t.Fatalf("%v, want %s", c.Changes, e.rule)
	}
	if e.rule != "" && worst != level(e.rule) {
		t.Errorf("the worst is %s: %v", worst, c.Changes)
	}
	after := descriptors(t, c.Next)
	forward, why := kept(t, before["Order"], after["Order"])
	back, whyBack := kept(t, after["Order"], before["Order"])
	switch {
	case e.blind:
	case slices.Contains([]string{"FIELD_TYPE_CHANGED", "CARDINALITY_CHANGED", "MAP_KEY", "ONEOF_CHANGED"}, e.rule):
		if forward && back {
			t.Error("protobuf-go keeps all values")
		}
	case worst == schema.Breaking, e.rule == "MAP_CHANGED", e.rule == "FIELD_TYPE_NARROWED":
	default:
		if !forward {
			t.Errorf("protobuf-go does not keep values of before: %s", why)
		}
		if !back && e.rule != "FIELD_TYPE_WIDENED" && e.rule != "FIELD_REPEATED" {
			t.Errorf("older readers do not keep the values: %s", whyBack)
		}
	}
	if worst == schema.Breaking {
		return
	}
	// Recorded, the edit is no change any more.
	next := parse(t, string(c.Next.Text()))
	again := protolock.Compare(next, c.Next, nil)
	if len(again.Changes) > 0 {
		t.Errorf("recorded and compared again: %v", again.Changes)
	}
	if !next.Numbers("Order").Numbers.Has(41) || !next.Numbers("Order").Numbers.Has(57) {
		t.Errorf("a reserved number is forgotten:\n%s", next.Text())
	}
}

func level(id string) schema.Severity {
	for _, r := range protolock.Rules() {
		if r.ID == id {
			return r.Level
		}
	}
	panic(id)
}
