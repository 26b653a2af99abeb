package house

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRustLayers(t *testing.T) {
	const lib = "mod a;\n#[cfg(x)]\nmod b;\nmod c;\npub use b::B;\npub use {a::A, c::{C, Other as Name}};\npub mod rt { pub use crate::a::Hidden; }\n"
	below := func(used string) []string { return []string{"b: uses " + used + ", which lib.rs declares below it"} }
	for _, c := range []struct {
		name, text string // of b
		want       []string
	}{
		{"above", "use crate::{a::{self, x}, A, B};\nfn f() { super::a::f() }", nil},
		{"tree", "use crate::{a::{x, y}, c::{d::{e}, f}};", below("c")},
		{"path", "fn f() { crate::c::f::<u8>() }", below("c")},
		{"re-export", "fn f(x: &crate::C) {}", below("c")},
		{"other names", "use crate::Name as New;", below("c")},
		{"super", "use super::{a::x, c};", below("c")},
		{"test module", "mod tests { use super::super::C; }", below("c")},
		{"folder", "use super::{super::C, *};\nmod c;", below("c")},
		{"folder, within", "use super::c::x;\nuse super::super::A;", nil},
		{"within", "mod tests { use super::c; }\npub(crate) use self::c;\npub(super) fn f() { d::c() }", nil},
		{"not code", "/// crate::c\n/* crate::c */ const S: &str = \"crate::c\";", nil},
		{"lifetimes", "fn f<'a>(c: &'a char) -> bool { *c == '\"' || *c == '\\'' || crate::C::is(c) }", below("c")},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := "b.rs"
			if strings.HasPrefix(c.name, "folder") {
				name = "b/owned.rs"
			}
			modules, err := RustModules(crate(lib, name, c.text))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, CheckLayers(modules), c.want)
		})
	}
	for _, c := range []struct{ lib, name, text, want string }{
		{lib, "b.rs", "use crate::rt::Hidden;", "b.rs: names crate::rt"},
		{lib, "b.rs", "use crate::*;", "b.rs: names crate::*"},
		{lib, "b.rs", "use super::*;", "b.rs: names crate::*"},
		{lib, "d.rs", "", "d.rs: lib.rs declares no module d"},
		{lib + "pub use c::*;", "b.rs", "", "lib.rs: use c::*"},
		{lib + "pub use rt::Hidden as Found;", "b.rs", "", "lib.rs: Found is from rt"},
	} {
		_, err := RustModules(crate(c.lib, c.name, c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func crate(lib, name, text string) fstest.MapFS {
	return fstest.MapFS{"lib.rs": {Data: []byte(lib)}, "a.rs": {}, "c.rs": {Data: []byte("use crate::b::x;")},
		name: {Data: []byte(text)}}
}

func TestRust(t *testing.T) {
	modules, err := RustModules(os.DirFS(filepath.Join(top, "rust", "zmy", "src")))
	if err != nil {
		t.Fatal(err)
	}
	uses := 0
	for _, m := range modules {
		uses += len(m.Imports)
	}
	t.Logf("%d modules, %d uses", len(modules), uses)
	if len(modules) < 10 || uses < 50 {
		t.Error("too few: nothing is checked")
	}
	for _, v := range CheckLayers(modules) {
		t.Error(v)
	}
}
