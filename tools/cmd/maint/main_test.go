package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/tools/goals"
)

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args  string
		code  int
		holds string
	}{
		{"", exitUsage, "usage: maint COMMAND"},
		{"help", exitOK, "selftest"},
		{"gaols", exitUsage, `no command "gaols"`},
		{"goals -h", exitOK, "PENDING"},
		{"goals -list -subject sse", exitOK, "encode zmy/append"},
		{"goals -subject nowhere", exitUsage, "see -list"},
		{"selftest -h", exitOK, "-only a,b    only these rows: clocks"},
		{"selftest -quik", exitUsage, "-quik"},
		{"selftest -only clock", exitUsage, "choose of clocks"},
		{"selftest -zmy /nowhere/zmy", exitUsage, "no such file"},
		{"contender -h", exitOK, "maint pin [NAME…]"},
		{"contender goccy", exitUsage, "write NAME MODULE@VERSION"},
		{"contender Goccy github.com/goccy/go-json@v0.12.0", exitUsage, "lower-case"},
		{"contender goccy github.com/goccy/go-json", exitUsage, "has no version"},
		{"contender goccy github.com/goccy/go-json@v0.12.0 yaml", exitUsage, "choose of json, binary"},
		{"contender goccy github.com/goccy/go-json@v0.12.0", exitInternal, "is there already"},
		{"pin nowhere", exitInternal, "nowhere: "},
		{"peers -h", exitOK, "-bump        raise"},
		{"peers -bumb", exitUsage, "maint peers -h"},
		{"peers goccy", exitUsage, "takes no arguments"},
		{"peers -subjects sse", exitUsage, "write a folder of examples and a type"},
		{"instructions -h", exitOK, "Counts are no times"},
		{"instructions -codecs nothing", exitUsage, "not all are in the lab's table"},
		{"selftest .", exitUsage, "takes no arguments"},
	} {
		var out bytes.Buffer
		code := dispatch(t.Context(), strings.Fields(c.args), &out, &out)
		if code != c.code || !strings.Contains(out.String(), c.holds) {
			t.Errorf("maint %s: exit %d, want %d with %q:\n%s", c.args, code, c.code, c.holds, &out)
		}
	}
}

// TestGoals: what the lab cannot measure yet is told apart from what breaks.
func TestGoals(t *testing.T) {
	c := goalRunner{newProgress(new(bytes.Buffer))}
	if _, err := c.Bench(t.Context(), goals.Request{Bench: "nowhere"}); !errors.Is(err, goals.ErrMissing) {
		t.Errorf("a package that is not there: %v", err)
	}
	for _, q := range []goals.Request{{Subject: "nowhere"}, {Subject: "session", Variant: "upside-down"}} {
		if _, err := c.Run(t.Context(), q); !errors.Is(err, goals.ErrMissing) {
			t.Errorf("%s: %v, want it to be missing", q.Name(), err)
		}
	}
	if _, err := c.Run(t.Context(), goals.Request{Subject: "internal"}); err == nil || errors.Is(err, goals.ErrMissing) {
		t.Errorf("a folder without a type: %v", err)
	}
	asked := goals.Request{Codecs: []string{"std-json", "goccy", "floor-slab", "no-such-codec"}}
	if got := known(asked); !slices.Equal(got, []string{"std-json", "goccy", "floor-slab"}) {
		t.Errorf("known = %q", got)
	}
	asked.All = true
	if got := known(asked); !slices.Contains(got, "msgp") || !slices.Contains(got, "floor-slab") || slices.Contains(got, "floor-memcpy") {
		t.Errorf("with all: %q", got)
	}
	t.Chdir(t.TempDir()) // found from elsewhere too
	if dir, err := checkout(); err != nil || !isCheckout(dir) {
		t.Errorf("checkout = %s, %v", dir, err)
	}
}
