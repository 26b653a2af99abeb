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
		{"-lang proto -serde", exitFail, "-serde and -non-exhaustive are for -lang=rust"},
		{"-lang proto -derive", exitFail, "-derive numbers the fields of ZMY messages"},
		{"-lang proto -output x.go", exitFail, "the folder for proto is given by -o"},
		{"-lang proto", exitFail, "Session has no field with a struct tag"},
		{"-lang cobol -lock", exitUsage, "-lock records Go types"},
	} {
		var out bytes.Buffer
		args := append(strings.Fields(c.args), "-type=Session", dir)
		if code := ZMY(args, &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: exit %d\n%s", c.args, code, &out)
		}
	}
}

func TestProtoFile(t *testing.T) {
	shopModule(t)
	put(t, "shop.go", protoShop)
	run := func(args string) (int, string) {
		var out bytes.Buffer
		return ZMY(strings.Fields(args), &out, &out), out.String()
	}
	says(t, run, "-lang proto -type=Order -o api -check", exitFail,
		"api/shop.proto is missing; make it with: zmy gen -type=Order -lang=proto -o=api")
	says(t, run, "-lang proto -type=Order -o api", exitOK, "")
	says(t, run, "-lang proto -type=Order -o api -check", exitOK, "")
	says(t, run, "-lang proto -type=Order -output - -package shop.v1", exitOK, "\npackage shop.v1;\n")
}
