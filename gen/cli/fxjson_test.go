package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/zmylab/zmy/internal/cmdline"
)

// TestAboutFXJSON: flags that print something about fxjson need no types.
func TestAboutFXJSON(t *testing.T) {
	for _, c := range []struct {
		args  string
		code  int
		holds string
	}{
		{"-version", exitOK, "fxjson (devel), "},
		{"-completion bash", exitOK, "complete -F _fxjson_complete fxjson"},
		{"-completion zsh", exitOK, "#compdef fxjson"},
		{"-completion fish", exitOK, "complete --command fxjson"},
		{"-completion csh", exitUsage, `no completions for the shell "csh": choose bash, fish, zsh`},
		{"-man", exitOK, "\n\\fB\\-stdmethods\\fR\n"},
		{cmdline.Asking + " -only ", exitOK, "encode\ndecode\n"},
		{cmdline.Asking + " -std", exitOK, "-stdmethods\twrite MarshalJSON"},
		{cmdline.Asking + " ", exitOK, ":folders\n"},
	} {
		var out bytes.Buffer
		if code := FXJSON(strings.Split(c.args, " "), &out, &out); code != c.code || !strings.Contains(out.String(), c.holds) {
			t.Errorf("fxjson %s: exit %d, want %d with %q:\n%s", c.args, code, c.code, c.holds, &out)
		}
	}
}
