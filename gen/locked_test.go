package gen

import (
	"slices"
	"testing"
)

func TestShellWords(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"", nil}, {"-type=A,B -derive", []string{"-type=A,B", "-derive"}},
		{"  -type='Pair[string,int],A'  -output=x.go ", []string{"-type=Pair[string,int],A", "-output=x.go"}},
		{"'a b'c ''", []string{"a bc", ""}},
	} {
		if got := shellWords(c.line); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}
