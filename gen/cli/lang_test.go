package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestLangFlags(t *testing.T) {
	const dir = "../testdata/zmy/plain"
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-lang cobol -package x", exitFail, "-lang=cobol is not known; known are go"},
		{"-package x", exitUsage, "-package, -o, -serde and -non-exhaustive are for a -lang other than go"},
		{"-o x", exitUsage, "-package, -o, -serde and -non-exhaustive are for a -lang other than go"},
		{"-serde", exitUsage, "-package, -o, -serde and -non-exhaustive are for a -lang other than go"},
		{"-lang java -serde -package x", exitFail, "-serde is for -lang=rust"},
		{"-lang cobol -lock", exitUsage, "-lock records Go types"},
	} {
		var out bytes.Buffer
		args := append(strings.Fields(c.args), "-type=Session", dir)
		if code := ZMY(args, &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: exit %d\n%s", c.args, code, &out)
		}
	}
}
