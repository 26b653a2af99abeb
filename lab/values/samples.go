package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// FromSamples reads values from JSON by encoding/json: one document, an array of
// documents, or documents one after another (NDJSON). An array is one document
// where T itself is read from arrays, unless its elements are arrays again.
//
// Errors give the byte offset, line and column in data; the caller names the file.
func FromSamples[T any](data []byte) ([]T, error) {
	body := bytes.TrimLeft(data, " \t\r\n\ufeff")
	base := len(data) - len(body)
	if len(body) == 0 {
		return nil, errors.New("samples: no document: expected a JSON document, an array of documents, or one document a line")
	}
	docs, err := splitSamples(body, base, data, isList[T](body))
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, errors.New("samples: the array holds no document")
	}
	out := make([]T, len(docs))
	for i, d := range docs {
		if err := json.Unmarshal(d.text, &out[i]); err != nil {
			return nil, fmt.Errorf("samples: document %d at %s: %w", i+1, place(data, d.at+within(err)), err)
		}
	}
	return out, nil
}

// sample is one document and where it starts.
type sample struct {
	text json.RawMessage
	at   int
}

// isList reports whether body is an array of documents.
func isList[T any](body []byte) bool {
	if body[0] != '[' {
		return false
	}
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if k := t.Kind(); k == reflect.Slice || k == reflect.Array {
		inner := bytes.TrimLeft(body[1:], " \t\r\n")
		return len(inner) > 0 && inner[0] == '[' && t.Elem().Kind() != reflect.Slice && t.Elem().Kind() != reflect.Array
	}
	return true
}

func splitSamples(body []byte, base int, data []byte, list bool) ([]sample, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	fail := func(err error) error {
		at := base + int(dec.InputOffset())
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			at = base + int(syntax.Offset)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			at, err = len(data), errors.New("the document ends early")
		}
		return fmt.Errorf("samples: %s: %w", place(data, at), err)
	}
	if list {
		if _, err := dec.Token(); err != nil {
			return nil, fail(err)
		}
	}
	var out []sample
	for !list || dec.More() {
		var s sample
		err := dec.Decode(&s.text)
		if err == io.EOF && !list {
			return out, nil
		}
		if err != nil {
			return nil, fail(err)
		}
		s.at = base + int(dec.InputOffset()) - len(s.text)
		out = append(out, s)
	}
	if _, err := dec.Token(); err != nil { // the closing bracket
		return nil, fail(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fail(errors.New("something follows the array of documents"))
	}
	return out, nil
}

// within is the offset that err gives inside its document.
func within(err error) int {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return int(kind.Offset)
	}
	return 0
}

// place spells an offset for people.
func place(data []byte, at int) string {
	at = min(max(at, 0), len(data))
	before := data[:at]
	line := 1 + bytes.Count(before, []byte{'\n'})
	return fmt.Sprintf("offset %d (line %d, column %d)", at, line, at-bytes.LastIndexByte(before, '\n'))
}
