package jsonrt

import (
	"slices"
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// DuplicateError says which name occurs twice in an object, if the options refuse that.
type DuplicateError struct {
	Name   string
	Offset int64 // of the name's second occurrence
}

func (e *DuplicateError) Error() string {
	return "fxjson: duplicate name " + strconv.Quote(e.Name) + " at offset " + strconv.FormatInt(e.Offset, 10)
}

// duplicates returns an error if an object of the valid document doc has a name twice, whether or
// not the target has a field for it. It is a pass of its own, so that decoding is no slower if the
// option is not set.
func duplicates(doc []byte) error {
	var open []nameSet // one for each open array and object; those of arrays stay empty
	i := jsonwire.SkipSpace(doc, 0)
	for {
		switch c := doc[i]; c {
		case 0:
			return nil
		case '{', '[':
			open = append(open, nameSet{})
		case '}', ']':
			open = open[:len(open)-1]
		case '"':
			e := jsonwire.SkipString(doc, i)
			if jsonwire.Load8(doc, jsonwire.SkipSpace(doc, e)) != ':' {
				i = jsonwire.SkipSpace(doc, e)
				continue
			}
			text, _ := jsonwire.AppendUnescaped(nil, doc, i)
			name, o := string(text), &open[len(open)-1]
			if !o.add(name) {
				return &DuplicateError{name, int64(i)}
			}
			i = jsonwire.SkipSpace(doc, e)
			continue
		}
		i = jsonwire.SkipSpace(doc, i+1)
	}
}

// nameSet holds the names of an object.
type nameSet struct {
	few  []string // searched one by one, until there are too many
	many map[string]struct{}
}

// add adds the name and reports whether it is new.
func (s *nameSet) add(name string) bool {
	const few = 16
	if s.many == nil && len(s.few) < few {
		if slices.Contains(s.few, name) {
			return false
		}
		s.few = append(s.few, name)
		return true
	}
	if s.many == nil {
		s.many = make(map[string]struct{}, 4*few)
		for _, n := range s.few {
			s.many[n] = struct{}{}
		}
	}
	_, known := s.many[name]
	s.many[name] = struct{}{}
	return !known
}
