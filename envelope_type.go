package zmy

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unmarshal stores a message that has passed the limits of its envelope or
// stream, whose type has that fingerprint. op is what was asked for.
func (o OpenOptions) unmarshal(op string, fingerprint uint64, msg []byte, v any) error {
	if o.Unmarshal.Exact {
		if s := otherType(fingerprint, v); s != "" {
			return &EnvelopeError{op, 8, ErrVersion, s}
		}
	}
	err := o.Inner(len(msg)).Unmarshal(msg, v)
	if d, ok := err.(*DecodeError); ok { // itself: what hand-written code wraps is left as it is
		if s := otherType(fingerprint, v); s != "" {
			told := *d
			told.detail += "; " + s
			return &told
		}
	}
	return err
}

// notBare adds to the error of a message that it is an envelope, or a stream.
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

// describeHint says where a type without methods for it has its schema block.
func describeHint(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, args, generic := strings.Cut(t.Name(), "[")
	if !generic {
		return "generate its code anew, or set Schema"
	}
	// Methods would be those of all its instances, so that each has functions.
	word := title(name)
	if strings.ContainsAny(args, "[*") {
		word += "…" // the generator has words for the parts of such types
	} else {
		for arg := range strings.SplitSeq(strings.TrimSuffix(args, "]"), ",") {
			word += title(arg[strings.LastIndexAny(arg, "./")+1:])
		}
	}
	return fmt.Sprintf("set Schema: []byte(ZMYSchema%s()) and Fingerprint: ZMYFingerprint%[1]s(), which zmy gen makes for an "+
		"instance of %s", word, name)
}

func title(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// otherType says that v is not of the type with that fingerprint, "" if it is or
// one of the two is unknown.
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
