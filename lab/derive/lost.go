package derive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
)

// mostLost is how many members a note names at most, and how many members get a note of their own.
const mostLost = 5

// Lost reads every document into the type and writes it again. It returns notes on the members that
// come back changed or not at all. Members of the elements of one list or map count as one.
func (t *Type) Lost(docs []values.Document) (notes []string) {
	l := &losses{left: t.left, missing: map[string]bool{}, changed: map[string]string{}}
	for i, d := range docs {
		l.where = fmt.Sprintf("document %d", i+1)
		if d.File != "" {
			l.where = fmt.Sprintf("%s:%d", d.File, d.Line)
		}
		v := reflect.New(t.Go)
		err := json.Unmarshal(d.Text, v.Interface())
		var out []byte
		if err == nil {
			out, err = json.Marshal(v.Interface())
		}
		if err != nil {
			l.change("", "is refused: "+err.Error())
			continue
		}
		l.compare("", d.Text, out)
	}
	if names := slices.Sorted(maps.Keys(l.missing)); len(names) > 0 {
		notes = append(notes, "null or empty in some documents and missing in others, which comes back missing: "+some(names))
	}
	paths := slices.Sorted(maps.Keys(l.changed))
	for _, p := range paths[:min(len(paths), mostLost)] {
		name := p
		if name == "" {
			name = "the document"
		}
		notes = append(notes, name+" "+l.changed[p])
	}
	if rest := paths[min(len(paths), mostLost):]; len(rest) > 0 {
		notes = append(notes, "the same kind of change in "+some(rest))
	}
	return notes
}

func some(names []string) string {
	if n := len(names) - mostLost; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostLost], ", "), n)
	}
	return strings.Join(names, ", ")
}

// losses are the members that did not come back unchanged, by path.
type losses struct {
	where   string            // the current document
	left    map[string]bool   // members that are known to be left out
	missing map[string]bool   // members that were null or empty and are absent afterwards
	changed map[string]string // the first change of each member
}

func (l *losses) change(path, text string) {
	if path = strings.TrimPrefix(path, "."); l.changed[path] == "" {
		l.changed[path] = text + " (" + l.where + ")"
	}
}

// compare compares a value of a document with what was written for it.
func (l *losses) compare(path string, a, b json.RawMessage) {
	var was, is map[string]json.RawMessage
	var list, now []json.RawMessage
	switch {
	case first(a) == '{' && first(b) == '{' && json.Unmarshal(a, &was) == nil && json.Unmarshal(b, &is) == nil:
		for _, name := range slices.Sorted(maps.Keys(was)) {
			l.member(path+"."+name, was[name], is[name])
		}
		for _, name := range slices.Sorted(maps.Keys(is)) {
			if was[name] == nil {
				l.change(path+"."+name, "comes back as "+short(is[name])+" where there was none")
			}
		}
	case first(a) == '[' && first(b) == '[' && json.Unmarshal(a, &list) == nil && json.Unmarshal(b, &now) == nil && len(list) == len(now):
		for i := range list {
			l.compare(path+"[]", list[i], now[i])
		}
	default:
		if same, _ := fidelity.SameJSON(a, b); !same {
			l.change(path, short(a)+" comes back as "+short(b))
		}
	}
}

// member compares a member of an object in the document. The argument is is nil if the member is
// absent afterwards.
func (l *losses) member(path string, was, is json.RawMessage) {
	switch text := strings.Join(strings.Fields(string(was)), ""); {
	case l.left[strings.TrimPrefix(path, ".")]:
	case is != nil:
		l.compare(path, was, is)
	case text == "null" || text == "[]" || text == "{}":
		l.missing[strings.TrimPrefix(path, ".")] = true
	default:
		l.change(path, short(was)+" does not come back")
	}
}

func first(b []byte) byte {
	if b = bytes.TrimSpace(b); len(b) > 0 {
		return b[0]
	}
	return 0
}

// short returns the beginning of a value, for a note.
func short(b []byte) string {
	r := []rune(string(bytes.TrimSpace(b)))
	if len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return string(r)
}
