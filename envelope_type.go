package zmy

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/zmylab/zmy/internal/zmyreflect"
)

// unmarshal stores msg into v. fingerprint is the fingerprint of the writer's type, 0 if unknown.
// op is the operation that errors name. The caller has checked the limits of the envelope or
// stream; unmarshal checks the limits of the message itself.
func (o OpenOptions) unmarshal(op string, fingerprint uint64, msg []byte, v any) error {
	if o.Unmarshal.Exact {
		if s := otherType(fingerprint, v); s != "" {
			return &EnvelopeError{op, 8, ErrVersion, s}
		}
	}
	err := o.Inner(len(msg)).Unmarshal(msg, v)
	if d, ok := err.(*DecodeError); ok { // an error that wraps one stays unchanged
		if s := otherType(fingerprint, v); s != "" {
			told := *d
			told.detail += "; " + s
			return &told
		}
	}
	return err
}

// notBare adds a hint to err, the error of unmarshalling b as a bare message, if b begins like an
// envelope or a stream.
func notBare(b []byte, err error) error {
	d, ok := err.(*DecodeError)
	if !ok {
		return err
	}
	h, bad := parseHeader(b)
	if bad != nil {
		return err
	}
	told := *d
	if h.flags&flagStream != 0 {
		told.detail += "; this is a stream: use NewReader or Receive"
	} else {
		told.detail += "; this is an envelope: use Unseal"
	}
	return &told
}

// describeHint says how to seal values of type t with a schema block, although t has no method that
// returns the block.
func describeHint(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, generic := strings.Cut(t.Name(), "[")
	if !generic {
		return "generate its code anew, or set Schema"
	}
	// A method of a generic type belongs to all its instances. So the generator writes functions
	// for each instance, named after it.
	word := zmyreflect.InstanceWord(t)
	if word == "" { // a type argument such as a list, for which the generator makes a longer name
		_, n := utf8.DecodeRuneInString(name)
		word = strings.ToUpper(name[:n]) + name[n:] + "…"
	}
	return fmt.Sprintf("set Schema: []byte(ZMYSchema%s()) and Fingerprint: ZMYFingerprint%[1]s(), which zmy gen makes for an "+
		"instance of %s", word, name)
}

// otherType returns a text for errors if v's type has another fingerprint than the given one. It
// returns "" if the two are the same or one of them is unknown.
func otherType(fingerprint uint64, v any) string {
	w := wayOf(v)
	if fingerprint == 0 || !w.fingerprint || w.pointer && isNil(v) {
		return ""
	}
	own := as[Fingerprinter](v).ZMYFingerprint()
	if own == 0 || own == fingerprint {
		return ""
	}
	return fmt.Sprintf("the writer's type has fingerprint %016x, %T has %016x: another version, or another type", fingerprint, v, own)
}
