package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Samples are values read from captured documents.
type Samples[T any] struct {
	Values    []T
	Documents int       // number of documents found, not all of them needed
	Refused   []Refusal // documents that gave no value, in the order of the files
	// Unknown counts, by name, members that have no place in T, so that the values lack them. For
	// each document only the first one counts.
	Unknown map[string]int
}

// FromDocuments reads at most n values from a file or folder of captured JSON documents (see
// [ReadDocuments]) with encoding/json. If a T is read from an array, an array is one document. It
// is an error if there is no value at all.
func FromDocuments[T any](name string, n int) (*Samples[T], error) {
	docs, refused, err := ReadDocuments(name, ReadsArrays(reflect.TypeFor[T]()))
	if err != nil {
		return nil, fmt.Errorf("samples: %w", err)
	}
	s := &Samples[T]{Documents: len(docs), Refused: refused, Unknown: map[string]int{}}
	for _, d := range docs {
		if len(s.Values) == n {
			break
		}
		var v T
		if err := json.Unmarshal(d.Text, &v); err != nil {
			s.Refused = append(s.Refused, Refusal{d.where(err), strings.TrimPrefix(err.Error(), "json: ")})
			continue
		}
		s.Values = append(s.Values, v)
		if name := unknownMember[T](d.Text); name != "" {
			s.Unknown[name]++
		}
	}
	if len(s.Values) > 0 {
		return s, nil
	}
	why := "expected a JSON document, an array of documents, or one document a line"
	if len(s.Refused) > 0 {
		why = s.Refused[0].String()
		if more := len(s.Refused) - 1; more > 0 {
			why += fmt.Sprintf(" (and %d more)", more)
		}
	}
	return nil, fmt.Errorf("samples: no document gives a value: %s", why)
}

// unknownMember returns the first member of a document that has no place in T, or "".
func unknownMember[T any](text []byte) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(new(T))
	if err == nil {
		return ""
	}
	quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field ")
	if !ok {
		return ""
	}
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return quoted
	}
	return name
}

// where returns the place of err as file:line. If err names no offset, it is where the document
// begins.
func (d *Document) where(err error) string {
	line := d.Line
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		line += bytes.Count(d.Text[:min(int(kind.Offset), len(d.Text))], []byte{'\n'})
	}
	return fmt.Sprintf("%s:%d", d.File, line)
}

// ReadsArrays reports whether a value of type t is read from a JSON array.
func ReadsArrays(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Array || t.Kind() == reflect.Slice && t != rawType && !spellsItself(t)
}
