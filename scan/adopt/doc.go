// Package adopt changes the codec of a code base, and hands the change over as a patch.
//
// A change is made in a copy of the module. The copy is built, vetted and tested before and after
// the change. If a package fails after the change and did not fail before, its part of the change is
// taken back, and the reason is reported. So a patch that is shown passes.
//
//	load ──▶ uses (what each file does with the old codec) ──▶ edits of the files' text
//	     ──▶ types at the sites ──▶ go:generate lines, generated code, a test ──▶ checks ──▶ patch
//
// [Run] makes the patch. [Apply] writes it into the tree, and [Undo] gives the tree back byte for
// byte. Both may be stopped at any time, see [Record].
package adopt

import "go/token"

// Site is one place where the old codec is used.
type Site struct {
	Pos    token.Position // Filename is relative to the module's folder, with slashes
	Call   string         // as the source names it: "json.Marshal"
	Type   string         // of the value: "*order.Order"; "" if the call has no value or its type is an interface
	Become string         // what replaces it: "fxjson.Marshal"; "" for a site that stays
	Why    string         // why it stays
}

// Note is something to know about a place before the patch is merged.
type Note struct {
	Pos  token.Position // the zero value for the whole module
	Text string
}

// Types are the types of one package for which code is generated.
type Types struct {
	Package string // import path
	Dir     string // relative to the module's folder, with slashes
	Names   []string
	File    string   // the generated file's name
	Lines   int      // of generated code
	Golden  []string // the types with documents in testdata

	refused map[string]string // names of types that the new format does not fit, and why
	easy    bool              // they had code of easyjson
}

func (t *Types) refuse(name, why string) {
	if t.refused == nil {
		t.refused = map[string]string{}
	}
	t.refused[name] = why
}

// Check is the outcome of one package.
type Check struct {
	Package string
	Before  string // "": builds, vets and passes its tests; otherwise the first line that failed
	After   string // the same after the change; reports of go vet count if they are new
	Vet     string // the first report of go vet before the change, if there is one
	Tests   int    // tests that passed after the change, without subtests
	Flaky   bool   // the tests failed after the change, and passed when they were run again

	worse bool // it fails earlier than before: the change is at fault
}

// Change is one file that the patch changes, creates or deletes.
type Change struct {
	Path   string // relative to the module's folder, with slashes
	Before []byte // nil if the file is new
	After  []byte // nil if the file is deleted
	Mode   uint32 // permission bits
	Made   bool   // the file is generated, recorded or vendored: nobody reads it line by line
}

// Result is what [Run] has found and made.
type Result struct {
	Codec   string // the new codec
	Module  string // path of the module
	Dir     string // its folder
	Sites   []Site // those that change
	Stay    []Site // those that stay, with the reason
	Notes   []Note
	Types   []Types
	Checks  []Check
	Changes []Change // sorted by Path; empty if there is nothing to change
	Blocked []string // why writers wait for readers: "order.Order is read as JSON only in queue/read.go:12"
	Tested  bool     // false if the caller asked for no tests
}
