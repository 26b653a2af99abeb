package anatomy

import (
	"testing"
	"time"
)

func digest[T any](vals []T) string { return DigestOfAll(Digests(vals)) }

// withMethod is a type whose JSON form says nothing of its value.
type withMethod struct {
	M    map[string]any
	P    *int
	T    time.Time
	Next *withMethod
}

func (withMethod) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

type protoMessage struct {
	state *tables
	Name  string
}

// tables lead to themselves by two ways: walks of some depth take all combinations of these.
type tables struct{ a, b *tables }

func (*protoMessage) ProtoReflect() {}

// TestDigestOfMessages: the state of a message of protobuf is none of its value.
func TestDigestOfMessages(t *testing.T) {
	plain, used := []protoMessage{{Name: "a"}}, []protoMessage{{&tables{}, "a"}}
	if x, y := digest(plain), digest(used); x != y {
		t.Errorf("%s, with a state %s", x, y)
	}
	if digest(plain) == digest([]protoMessage{{Name: "b"}}) {
		t.Error("another message has the same digest")
	}
	loop := &tables{}
	loop.a, loop.b = loop, loop
	digest([]protoMessage{{loop, "a"}}) // ends
}

func TestDigest(t *testing.T) {
	one, two := 1, 2
	now := time.Unix(1, 2)
	base := func() withMethod {
		return withMethod{M: map[string]any{"a": 1, "b": "x", "c": []any{1.5, nil}}, P: &one, T: now.UTC()}
	}
	want := digest([]withMethod{base()})
	for range 20 { // maps range in any order
		if got := digest([]withMethod{base()}); got != want {
			t.Fatalf("%s, then %s", want, got)
		}
	}
	loop := base()
	loop.Next = &loop
	digest([]withMethod{loop}) // ends
	for name, change := range map[string]func(*withMethod){
		"map value": func(v *withMethod) { v.M["a"] = 2 },
		"map type":  func(v *withMethod) { v.M["a"] = int64(1) },
		"map key":   func(v *withMethod) { v.M["d"] = v.M["a"]; delete(v.M, "a") },
		"pointee":   func(v *withMethod) { v.P = &two },
		"nil":       func(v *withMethod) { v.P = nil },
		"time":      func(v *withMethod) { v.T = v.T.Add(1) },
		"zone":      func(v *withMethod) { v.T = v.T.In(time.FixedZone("", 3600)) },
	} {
		v := base()
		change(&v)
		if digest([]withMethod{v}) == want {
			t.Errorf("a changed %s does not show", name)
		}
	}
}
