package gen_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
)

// Other languages see a pointer to a slice or map as the slice or map with option
// nilable: the same code for the same bytes. So does the record of types.
func TestPointersToLists(t *testing.T) {
	const body = `

type Item struct {
	Name string ` + "`zmy:\"0\"`" + `
}

type T struct {
	Bytes   STAR[]byte            ` + "`zmy:\"0OPT\"`" + `
	Numbers STAR[]int32           ` + "`zmy:\"1OPT\"`" + `
	Texts   STAR[]string          ` + "`zmy:\"2OPT\"`" + `
	Items   STAR[]Item            ` + "`zmy:\"3OPT\"`" + `
	Refs    STAR[]*Item           ` + "`zmy:\"4OPT\"`" + `
	By      STARmap[string]Item   ` + "`zmy:\"5OPT\"`" + `
	Set     STARmap[int8]struct{} ` + "`zmy:\"6OPT\"`" + `
}
`
	fill := func(star, opt string) string {
		b := bytes.ReplaceAll([]byte("package m"+body), []byte("STAR"), []byte(star))
		return string(bytes.ReplaceAll(b, []byte("OPT"), []byte(opt)))
	}
	module(t, "m", map[string]string{"go.sum": ""})
	output := func(star, opt string) map[string]string {
		writeFile(t, "m.go", []byte(fill(star, opt)))
		p, err := load.Load(t.Context(), load.Config{}, ".")
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, lang := range []string{"java", "rust"} {
			files, err := gen.Lang(p, []string{"T"}, gen.LangOptions{Lang: lang, Package: "m", Dir: "out"})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				out[filepath.Base(f.Path)] = string(f.Src)
			}
		}
		plans, err := gen.Plans(p, nil, gen.Messages{Types: []string{"T"}})
		if err != nil {
			t.Fatal(err)
		}
		out[lock.Name] = string(lock.Of(p.Path, plans[0].Roots).Text())
		return out
	}
	pointers, nilables := output("*", ""), output("", ",nilable")
	if len(pointers) != len(nilables) || len(pointers) < 4 {
		t.Errorf("%d and %d files", len(pointers), len(nilables))
	}
	for name, src := range pointers {
		if src != nilables[name] {
			t.Errorf("%s: %s", name, firstDiff(src, nilables[name]))
		}
	}
}
