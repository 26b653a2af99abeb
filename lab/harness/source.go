package harness

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/plan"
)

// mainFile returns the Go file whose TestMain runs the worker. Names that it declares or imports
// begin with zz, since it is compiled into the user's package.
func mainFile(s *plan.Subject, info contender.Info, src *contender.Sources, streams bool) []byte {
	var b strings.Builder
	imports := []string{"zzworker " + strconv.Quote(contender.LabPath+"/worker"),
		"zzserve " + strconv.Quote(contender.LabPath+"/worker/serve")}
	if len(s.Samplers) > 0 {
		imports = append(imports, "zzvalues "+strconv.Quote(contender.LabPath+"/values"))
	}
	head(&b, s, src, imports...)
	b.WriteString("func TestMain(*zztesting.M) {\n\tsubject := zzworker.Subject[ZZSubject]{\n")
	fmt.Fprintf(&b, "\t\tName: %q,\n", s.Name)
	if s.Sample != "" {
		fmt.Fprintf(&b, "\t\tSample: %s,\n\t\tSampleName: %q,\n", s.Sample, s.Sample)
	}
	if len(s.Samplers) > 0 {
		b.WriteString("\t\tSamplers: []zzvalues.Sampler{\n")
		for _, name := range s.Samplers {
			fmt.Fprintf(&b, "\t\t\tzzvalues.SamplerOf(%q, %s),\n", name, name)
		}
		b.WriteString("\t\t},\n")
	}
	if len(s.Constants) > 0 {
		b.WriteString("\t\tConstants: map[string][]string{\n")
		for _, name := range slices.Sorted(maps.Keys(s.Constants)) {
			fmt.Fprintf(&b, "\t\t\t%q: %#v,\n", name, s.Constants[name])
		}
		b.WriteString("\t\t},\n")
	}
	if s.Leaf != nil {
		fmt.Fprintf(&b, "\t\tLeaf: zzLeaf,\n\t\tLeafPath: %q,\n", s.Leaf.Path)
	}
	b.WriteString("\t}\n")
	codec := fmt.Sprintf("%s.As(%q, %q)", src.Main, info.Name, info.Family)
	if streams {
		codec += ".Streaming()"
	}
	if src.Convert != "" {
		fmt.Fprintf(&b, "\tzzserve.MainNative(subject, %s, %s)\n}\n", codec, src.Convert)
	} else {
		fmt.Fprintf(&b, "\tzzserve.Main(subject, %s)\n}\n", codec)
	}
	if s.Leaf != nil {
		fmt.Fprintf(&b, "\nfunc zzLeaf(v *ZZSubject) string {\n%s}\n", s.Leaf.Body)
	}
	return []byte(b.String())
}

// toolFile returns the main file of a one-off program, whose statements are src.Main.
func toolFile(s *plan.Subject, src *contender.Sources) []byte {
	var b strings.Builder
	head(&b, s, src)
	fmt.Fprintf(&b, "func TestMain(*zztesting.M) {\n%s\n}\n", src.Main)
	return []byte(b.String())
}

func head(b *strings.Builder, s *plan.Subject, src *contender.Sources, imports ...string) {
	fmt.Fprintf(b, "package %s\n\nimport (\n\tzztesting \"testing\"\n", s.Pkg.Name)
	for _, list := range [][]string{imports, s.Imports, src.Imports} {
		for _, spec := range list {
			fmt.Fprintf(b, "\t%s\n", spec)
		}
	}
	fmt.Fprintf(b, ")\n\ntype ZZSubject = %s\n\n", s.Expr)
}
