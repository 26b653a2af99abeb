package codec

import "strings"

// gobError finds out from the text of an encoding/gob error what it means. The result is an
// ErrTypeMismatch if message and type do not fit each other. Otherwise it is err with a class, or
// err itself if gobTexts does not have its text.
func gobError(err error) error {
	if err == nil || ClassOf(err) != ClassOther {
		return err
	}
	text := err.Error()
	for _, k := range gobTexts {
		if strings.Contains(text, k.part) {
			if k.class == ClassType {
				return &mismatch{err}
			}
			return WithClass(k.class, err)
		}
	}
	return err
}

// mismatch is an ErrTypeMismatch with the text of the codec's error.
type mismatch struct{ error }

func (m *mismatch) Is(target error) bool { return target == ErrTypeMismatch }
func (m *mismatch) Unwrap() error        { return m.error }

// gobTexts are parts of the texts of encoding/gob's errors, which have no exported types. An error
// without any of them comes from a method of the user's type.
var gobTexts = []struct {
	part  string
	class Class
}{
	{"gob: type mismatch", ClassType},
	{"gob: decoding into local type", ClassType},
	{"gob: local interface type", ClassType},
	{"gob: wrong type (", ClassType},
	{"is not assignable to type", ClassType},
	{"length mismatch in", ClassType},
	{`" out of range`, ClassType},
	{"attempt to decode into a non-pointer", ClassType},
	{"cannot encode nil", ClassType},
	{"nil element", ClassType},
	{"gob: name not registered for interface", ClassSchema},
	{"gob: type not registered for interface", ClassUnsupported},
	{"can't handle type", ClassUnsupported},
	{"has no exported fields", ClassUnsupported},
	{"can't represent recursive pointer type", ClassUnsupported},
	{"message too big", ClassLimit},
	{"too big: ", ClassLimit},
	{"too large", ClassSyntax},
	{"exceeds input size", ClassSyntax},
	{"bad data", ClassSyntax},
	{"corrupted data", ClassSyntax},
	{"integer out of range", ClassSyntax},
	{"uint data length", ClassSyntax},
	{"slice length", ClassSyntax},
	{"invalid message length", ClassSyntax},
	{"invalid type name length", ClassSyntax},
	{"name too long", ClassSyntax},
	{"duplicate type received", ClassSyntax},
	{"extra data in buffer", ClassSyntax},
	{"invalid nesting depth", ClassSyntax},
	{"empty name for remote field", ClassSyntax},
}
