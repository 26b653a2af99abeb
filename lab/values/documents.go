package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// NOTE: FromDocuments unmarshals what ReadDocuments finds. scanner cuts files into documents by
// encoding/json's own decoder, so that the lab accepts what encoding/json accepts. It keeps the
// line of each document, since refusals name it.
//
// In a file of one document a line, a broken line costs only itself: the scanner goes on after the
// next line break. In other files it cannot know where the next document begins.

// Document is one captured JSON document.
type Document struct {
	File string // the base name, or relative to the folder that was named
	Line int    // line on which it begins, from 1
	Text json.RawMessage
}

// Refusal says why a document or a file gave no value.
type Refusal struct {
	Where string `json:"where"` // file:line, or only the file
	Why   string `json:"why"`
}

func (r Refusal) String() string { return r.Where + ": " + r.Why }

// mostCaptured bounds the total size of captured files that are read, in bytes.
const mostCaptured = 256 << 20

// captured lists the extensions of files in a folder that are read as documents.
var captured = []string{".json", ".ndjson", ".jsonl"}

// ReadDocuments reads captured documents from a file of JSON documents one after another (NDJSON or
// not), a file with one array of documents, or a folder of such files, in the order of their names.
// If whole is set, an array is one document.
//
// Documents that cannot be read become refusals, and the others are returned. A broken line of
// NDJSON costs one document. A broken document that spans lines costs the rest of its file. The
// error is for files that cannot be opened.
func ReadDocuments(name string, whole bool) ([]Document, []Refusal, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	s := &scanner{whole: whole}
	if !info.IsDir() {
		err = s.read(name, filepath.Base(name))
		return s.docs, s.refused, err
	}
	err = filepath.WalkDir(name, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(name, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch hidden := strings.HasPrefix(d.Name(), "."); {
		case rel == ".":
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden, d.IsDir():
		case slices.Contains(captured, strings.ToLower(filepath.Ext(p))):
			return s.read(p, rel)
		default:
			s.refuse(Refusal{rel, unknownFile(p)})
		}
		return nil
	})
	return s.docs, s.refused, err
}

func unknownFile(name string) string {
	if filepath.Ext(name) == ".zmy" {
		return "messages are not read: make JSON of it first, zmy convert FILE -to json"
	}
	return "its name ends in none of " + strings.Join(captured, " ")
}

// scanner cuts files into documents.
type scanner struct {
	whole   bool
	bytes   int64
	docs    []Document
	refused []Refusal
}

func (s *scanner) refuse(r Refusal) { s.refused = append(s.refused, r) }

// read adds the documents of one file.
func (s *scanner) read(name, rel string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if s.bytes += info.Size(); s.bytes > mostCaptured {
		s.refuse(Refusal{rel, fmt.Sprintf("not read: with it the documents take more than %d MiB", int64(mostCaptured)>>20)})
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	s.split(rel, data)
	return nil
}

// split cuts a file's text into documents.
func (s *scanner) split(file string, data []byte) {
	f := &capturedFile{name: file, data: data, line: 1, lines: strings.ToLower(filepath.Ext(file)) != ".json"}
	f.skip(len(data) - len(bytes.TrimPrefix(data, []byte("\ufeff"))))
	f.space()
	switch {
	case f.at == len(data):
		s.refuse(Refusal{file, "it holds no document"})
	case !s.whole && data[f.at] == '[':
		s.array(f)
	default:
		s.sequence(f)
	}
}

// capturedFile is a file with the position up to which it was cut.
type capturedFile struct {
	name  string
	data  []byte
	at    int
	line  int  // line of at
	lines bool // whether each document takes one line, judged by the file's name or by the documents so far
}

// skip moves forward to an offset and counts lines.
func (f *capturedFile) skip(to int) {
	f.line += bytes.Count(f.data[f.at:to], []byte{'\n'})
	f.at = to
}

func (f *capturedFile) space() {
	rest := bytes.TrimLeft(f.data[f.at:], " \t\r\n")
	f.skip(len(f.data) - len(rest))
}

// place returns file:line of an offset. An offset before f.at counts as f.at.
func (f *capturedFile) place(at int) string {
	at = min(max(at, f.at), len(f.data))
	return fmt.Sprintf("%s:%d", f.name, f.line+bytes.Count(f.data[f.at:at], []byte{'\n'}))
}

// sequence reads documents one after another.
func (s *scanner) sequence(f *capturedFile) {
	start, first := f.at, true
	dec := json.NewDecoder(bytes.NewReader(f.data[start:]))
	for {
		f.space()
		var text json.RawMessage
		err := dec.Decode(&text)
		if err == io.EOF {
			return
		}
		if err == nil {
			s.docs = append(s.docs, Document{f.name, f.line, text})
			before := f.line
			f.skip(start + int(dec.InputOffset()))
			f.lines = (f.lines || first) && f.line == before
			first = false
			continue
		}
		next := bytes.IndexByte(f.data[f.at:], '\n')
		if !f.lines { // documents span lines, so it is not known where the next one begins
			why := syntax(err)
			if next >= 0 {
				why += "; the rest of the file was not read"
			}
			s.refuse(Refusal{f.place(start + broken(err, len(f.data)-start)), why})
			return
		}
		s.refuse(Refusal{fmt.Sprintf("%s:%d", f.name, f.line), syntax(err)})
		if next < 0 {
			return
		}
		f.skip(f.at + next + 1)
		f.space()
		start = f.at
		dec = json.NewDecoder(bytes.NewReader(f.data[start:]))
	}
}

// array reads a file that is one array of documents.
func (s *scanner) array(f *capturedFile) {
	start := f.at
	dec := json.NewDecoder(bytes.NewReader(f.data[start:]))
	fail := func(err error) {
		s.refuse(Refusal{f.place(start + broken(err, len(f.data)-start)), syntax(err) + "; the rest of the array was not read"})
	}
	if _, err := dec.Token(); err != nil {
		fail(err)
		return
	}
	n := 0
	for ; dec.More(); n++ {
		var text json.RawMessage
		if err := dec.Decode(&text); err != nil {
			fail(err)
			return
		}
		end := start + int(dec.InputOffset())
		f.skip(end - len(text))
		s.docs = append(s.docs, Document{f.name, f.line, text})
		f.skip(end)
	}
	if _, err := dec.Token(); err != nil { // the closing bracket
		fail(err)
		return
	}
	f.skip(start + int(dec.InputOffset()))
	f.space()
	if f.at < len(f.data) {
		s.refuse(Refusal{f.place(f.at), "something follows the array of documents"})
	}
	if n == 0 {
		s.refuse(Refusal{f.name, "the array holds no document"})
	}
}

// broken returns the offset of a decoder's error. If the error has none, it returns end, the end of
// the input.
func broken(err error, end int) int {
	var bad *json.SyntaxError
	if errors.As(err, &bad) && !endsEarly(err) {
		return max(0, int(bad.Offset)-1)
	}
	return end
}

func syntax(err error) string {
	if endsEarly(err) {
		return "the document ends early"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// endsEarly reports whether a decoder's error is that its input ends in the middle of a document.
// From Go 1.27 on, some such errors of encoding/json are syntax errors, which only their text tells
// from others.
func endsEarly(err error) bool {
	var bad *json.SyntaxError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &bad) && bad.Error() == "unexpected end of JSON input"
}

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
