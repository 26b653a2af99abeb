package adopt

import (
	"go/token"
	"strings"
	"testing"
)

// TestManyGenerated: places in generated files are counted for a folder that has many of them.
func TestManyGenerated(t *testing.T) {
	r := Result{Module: "m", Codec: "fxjson"}
	for _, x := range []struct {
		file, why string
		lines     int
	}{
		{"a/one.go", inGenerated, 2}, {"a/two.go", inGenerated, 3}, {"a/two_hand.go", "another type was asked for", 1},
		{"b/b.go", inGenerated, 3},
	} {
		for i := range x.lines {
			r.Stay = append(r.Stay, Site{Pos: token.Position{Filename: x.file, Line: i + 1}, Call: "json.Marshal", Why: x.why})
		}
	}
	var text strings.Builder
	r.Text(&text, 140)
	want := `m: 0 sites change to fxjson

9 places stay as they are:
  a/               5 places in 2 files  the file is generated; its generator has to be changed
  a/two_hand.go:1  json.Marshal         another type was asked for
  b/b.go:1         json.Marshal         the file is generated; its generator has to be changed
  b/b.go:2         json.Marshal         the file is generated; its generator has to be changed
  b/b.go:3         json.Marshal         the file is generated; its generator has to be changed
`
	if text.String() != want {
		t.Errorf("got:\n%swant:\n%s", text.String(), want)
	}
}
