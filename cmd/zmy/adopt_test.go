//go:build !labonly

package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestAdoptMisused: what the command line of zmy adopt cannot mean says what to write instead.
func TestAdoptMisused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"", "name the codec to change to: fxjson, zmy"},
		{"zmi", "did you mean zmy?"},
		{"zmy", "choose one step: -read first"},
		{"zmy -read -write", "choose one step: -read first"},
		{"zmy -read -bytes", "name the sites in the command"},
		{"fxjson -read", "-read and -write are the steps of zmy adopt zmy"},
		{"fxjson a/b.go:12", "a/b.go:12: sites are named for zmy adopt zmy"},
		{"zmy -write -undo ./a", "-undo takes back the whole change"},
		{"zmy -write -undo -w", "-undo takes back the whole change"},
		{"zmy -raed", "did you mean -read?"},
	} {
		var out, errs bytes.Buffer
		code := dispatch(t.Context(), &console{&out, &errs}, append([]string{"adopt"}, strings.Fields(c.args)...))
		if code != exitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("zmy adopt %s: code %d, %q; want %d and %q", c.args, code, errs.String(), exitUsage, c.want)
		}
	}
}

func TestAdoptArgs(t *testing.T) {
	patterns, types, sites := adoptArgs([]string{"./...", "Order", "store.Order", "a/b.go:7", "./a", "b.go:12", "example.org/x"})
	if !slices.Equal(patterns, []string{"./...", "./a", "example.org/x"}) || !slices.Equal(types, []string{"Order", "store.Order"}) ||
		!slices.Equal(sites, []string{"a/b.go:7", "b.go:12"}) {
		t.Errorf("%q, %q, %q", patterns, types, sites)
	}
}
