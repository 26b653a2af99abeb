package sessionproto

import (
	"reflect"
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 200, sampletest.SameText, SampleUserSession)
}

func TestTwelveFields(t *testing.T) {
	if n := reflect.TypeFor[UserSession]().NumField(); n != 12 {
		t.Fatalf("%d fields, want 12", n)
	}
}
