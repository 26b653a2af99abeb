package escape

import (
	"go/token"
	"slices"
	"strings"
)

// Cause is why a value is on the heap. Reasons against which the same advice helps are one Cause.
type Cause string

// The causes.
const (
	Error   Cause = "error"     // an error is made: it costs nothing as long as nothing fails
	Text    Cause = "string"    // a string is made of bytes or strings
	Bytes   Cause = "bytes"     // bytes are made of a string
	Grown   Cause = "append"    // a slice grows
	Made    Cause = "make"      // a slice or map is made
	Object  Cause = "object"    // &T{}, new(T), a literal of a map or slice
	Boxed   Cause = "interface" // a value is put into an interface
	Closure Cause = "closure"
	Moved   Cause = "variable" // a variable whose address outlives its function
	Large   Cause = "too large"
	Other   Cause = "other"
)

// advice says what a reader who can change the code may do. It is "" for Other, whose reason is
// unknown.
var advice = map[Cause]string{
	Error: "nothing to do: it is made only when something is wrong",
	Text: "a string of its own is what a safe decoder returns; a mode that lets strings point into the input, or interned " +
		"strings for few different values, spare it",
	Bytes:   "append the string's bytes to the buffer instead of converting it first",
	Grown:   "it allocates only when there is no room: hand in a buffer that is kept, and make room for a list before its loop",
	Made:    "reuse what the target holds already, or take it from a pool, where the caller can hand the old one in",
	Object:  "hold the value itself instead of a pointer to it, in lists too, or reuse the object of the value before",
	Boxed:   "a value in an interface is a small object of its own: call a function of the concrete type, or pass a pointer",
	Closure: "hoist the function literal out of the function, or pass what it captures as arguments",
	Moved:   "return the variable instead of its address, or have the caller pass a place for it",
	Large:   "too large for the stack: keep one and reuse it",
	Other:   "",
}

// classify sets s.Cause. The cases go from the most particular to the most general: an error is
// also an object, and a sum of strings may be an operand of an interface.
func (s *Site) classify() {
	has := func(step string) bool { return slices.Contains(s.Steps, step) }
	switch what := s.What; {
	case has("too large for stack"):
		s.Cause = Large
	case s.makesError():
		s.Cause = Error
	case s.Cause == Moved:
	case what == "func literal" || strings.HasSuffix(what, " method value"):
		s.Cause = Closure
	case strings.HasPrefix(what, "string(") || strings.Contains(what, " + "): // or a sum of numbers in an interface, which looks the same
		s.Cause = Text
	case strings.HasPrefix(what, "[]byte(") || strings.HasPrefix(what, "([]byte)(") || strings.HasPrefix(what, "[]rune("):
		s.Cause = Bytes
	case what == "append" || strings.HasPrefix(what, "append("):
		s.Cause = Grown
	case strings.HasPrefix(what, "make("):
		s.Cause = Made
	case strings.HasPrefix(what, "&") || strings.HasPrefix(what, "new(") || strings.HasSuffix(what, "{...}") || strings.HasSuffix(what, "{}"):
		s.Cause = Object
	case has("interface-converted") || has("slice-literal-element") || has("map literal value") || what == "... argument" || isOperand(what):
		s.Cause = Boxed
	default:
		s.Cause = Other
	}
}

// makesError reports whether the value is an error or part of one. It looks for names such as
// errors., Error{ and panic( in the expression, in its function and in the value's flow.
func (s *Site) makesError() bool {
	return slices.ContainsFunc(append([]string{s.What, s.Func}, s.Flow...), func(x string) bool {
		return contains(x, "errors.", "Error{", "Err{", "fmt.Errorf(", "errorf(", "Errorf(", ".fail(", "panic(")
	})
}

// contains reports whether s contains one of the words.
func contains(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// isOperand reports whether the expression is a name, a selector, a constant or a call. If such a
// value is on the heap, it was put into an interface, not made there.
func isOperand(what string) bool {
	if what == "" {
		return false
	}
	if c := what[0]; c == '"' || c >= '0' && c <= '9' || c == '*' {
		return true
	}
	first := strings.FieldsFunc(what, func(r rune) bool { return r == '.' || r == '(' || r == '[' })
	return len(first) > 0 && token.IsIdentifier(first[0])
}
