package session

import (
	"reflect"
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 200, sampletest.SameText, SampleUserSession)
}

func TestSessionIsWhatItSays(t *testing.T) {
	if n := reflect.TypeFor[UserSession]().NumField(); n != 12 {
		t.Fatalf("%d fields, want 12", n)
	}
	r := sampletest.Rand(3)
	kinds := map[string]bool{}
	for range 200 {
		s := SampleUserSession(r)
		if n := len(s.Roles); n < 1 || n > 3 {
			t.Fatalf("%d roles", n)
		}
		if !s.ExpiresAt.After(s.CreatedAt) {
			t.Fatalf("expires %v, created %v", s.ExpiresAt, s.CreatedAt)
		}
		for _, v := range s.Attrs {
			kinds[reflect.TypeOf(v).String()] = true
		}
	}
	for _, k := range []string{"string", "int", "float64", "bool", "[]interface {}", "map[string]interface {}"} {
		if !kinds[k] {
			t.Errorf("no attribute is a %s", k)
		}
	}
}
