package lab

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/derive"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/values"
)

// derivedPath begins the module path of a derived type. A hash of the source follows, so that
// reports of different types are not mixed.
const derivedPath = "zmylab.invalid/derived/"

// derivedType is the name of the derived type.
const derivedType = "Document"

// derive makes a type from the sample documents if the user named no package, and puts it into a
// temporary package of its own.
func (l *Opened) derive() error {
	if l.o.Package != "" || l.o.Sample == "" {
		return nil
	}
	f, docs, refused, err := learn(l.o.Sample, false)
	if err != nil {
		return err
	}
	l.warn(refusals(refused))
	of, err := values.SubjectFor(f, l.o.Type)
	if err != nil {
		return Usagef("-sample %s: %v", l.o.Sample, err)
	}
	typ, err := derive.Derive(of, "derived", derivedType)
	if err != nil {
		return fmt.Errorf("the type of %s: %w", l.o.Sample, err)
	}
	if l.derived, err = os.MkdirTemp("", "zmylab-derived-"); err != nil {
		return err
	}
	sum := sha256.Sum256(typ.Source)
	mod := fmt.Sprintf("module %s%x\n\ngo 1.24\n", derivedPath, sum[:4])
	if err := errors.Join(os.WriteFile(filepath.Join(l.derived, "go.mod"), []byte(mod), 0o644),
		os.WriteFile(filepath.Join(l.derived, "document.go"), typ.Source, 0o644)); err != nil {
		return err
	}
	l.source = typ.Source
	l.of.Package, l.of.Type, l.of.Env = l.derived, derivedType, append(l.of.Env, "GOWORK=off")
	for _, n := range append(typ.Notes, typ.Lost(docs)...) {
		l.warn("derived type: " + n)
	}
	return nil
}

// what names the subject in the progress line.
func (l *Opened) what() string {
	if l.derived != "" {
		return "the type derived from " + filepath.Base(l.o.Sample)
	}
	return l.o.Package
}

// learn returns the fit that was saved as name, or a fit learned from the documents there. A saved
// fit comes without documents. If whole is set, an array is one document.
func learn(name string, whole bool) (*fit.Fit, []values.Document, []values.Refusal, error) {
	f, ok, err := values.ReadFit(name)
	if ok || err != nil {
		return f, nil, nil, err
	}
	docs, refused, err := values.ReadDocuments(name, whole)
	if err != nil {
		return nil, nil, nil, Usagef("-sample: %v", err)
	}
	if len(docs) == 0 {
		why := "there is no document"
		if len(refused) > 0 {
			why = refused[0].String()
		}
		return nil, nil, refused, Usagef("-sample %s: %s", name, why)
	}
	f, err = values.Learn(docs, filepath.Base(name))
	return f, docs, refused, err
}

// samples writes the files for the user: the source of a derived type, and with -fit the fit. With
// -fit, values are then drawn from the fit instead of taken from the documents.
func (l *Opened) samples() error {
	if l.source == nil && !l.o.Fit {
		return nil
	}
	dir, err := l.sampleDir()
	if err != nil {
		return err
	}
	if l.source != nil {
		where := ""
		if l.o.Out != "" {
			where = ": take it from " + filepath.Join(l.o.Out, report.FileDerived)
			if err := os.WriteFile(filepath.Join(dir, report.FileDerived), l.source, 0o644); err != nil {
				return err
			}
		}
		l.warn(fmt.Sprintf("no Go type was named: type %s was derived from %s%s", derivedType, filepath.Base(l.o.Sample), where))
		l.ui.Note("no Go type was named; measured is the one derived from " + filepath.Base(l.o.Sample) + where)
	}
	if !l.o.Fit {
		return nil
	}
	k := l.subject.Root.Kind
	f, _, refused, err := learn(l.o.Sample, k == ir.Slice || k == ir.Array)
	if err != nil {
		return err
	}
	l.warn(refusals(refused))
	l.sample = filepath.Join(dir, report.FileFit)
	for _, s := range f.Subjects {
		l.run.Put(fitted(s, l.run))
	}
	return f.WriteFile(l.sample)
}

// sampleDir returns the folder for files of samples: the report's folder, or a temporary one if
// there is no report. The path is absolute, since workers read it.
func (l *Opened) sampleDir() (string, error) {
	if l.o.Out != "" {
		return filepath.Abs(l.o.Out)
	}
	dir, err := os.MkdirTemp("", "zmylab-fit-")
	l.fitDir = dir
	return dir, err
}

// fitted presents a fit as an experiment without measurements.
func fitted(s *fit.Subject, r *run.Run) *run.Experiment {
	t := run.Table{
		Title: "What was learned",
		Note: "Numbers and lengths by their 5%, 50% and 95% quantiles; presence is the share of the objects around it that have it and not " +
			"null. Fields are drawn independently of each other, so that relations between them are not kept.",
	}
	for _, line := range s.Lines() {
		t.Add(run.Text(line.Path).Under("path", ""), run.Text(line.Kind).Under("kind", ""),
			run.Num(line.Presence).Under("presence", run.UnitShare), run.Text(line.Text).Under("spread", ""))
	}
	return &run.Experiment{
		Name: "fit", Title: "Values fitted to documents", Question: "What are the documents like that the values were drawn after?",
		Command: r.Command, Started: r.Started, Host: r.Host,
		Findings: []string{fmt.Sprintf("%d documents of %s gave %d paths; values are drawn anew by them, and %s holds the fit for further runs "+
			"(-sample %s).", s.Documents, source(s), len(t.Rows), report.FileFit, report.FileFit)},
		Warnings: []string{"the fit holds strings and numbers that were seen: treat it as you treat the documents"},
		Tables:   []run.Table{t},
	}
}

// source names what a subject was learned from.
func source(s *fit.Subject) string {
	if len(s.Sources) > 0 {
		return strings.Join(s.Sources, " and ")
	}
	return s.Name
}

// refusals says which captured documents gave no value, "" if all did.
func refusals(refused []values.Refusal) string {
	if len(refused) == 0 {
		return ""
	}
	var some []string
	for _, r := range refused[:min(len(refused), 3)] {
		some = append(some, r.String())
	}
	text := fmt.Sprintf("%d of the captured documents or files gave no value: %s", len(refused), strings.Join(some, "; "))
	if more := len(refused) - len(some); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// unknown says which members of the documents have no place in the type, "" if all have one.
func unknown(members map[string]int, typ string) string {
	if len(members) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(members), func(a, b string) int {
		return cmp.Or(cmp.Compare(members[b], members[a]), strings.Compare(a, b))
	})
	var some []string
	for _, n := range names[:min(len(names), 5)] {
		some = append(some, fmt.Sprintf("%q (in %d)", n, members[n]))
	}
	return fmt.Sprintf("%s has no place for members of the captured documents, and its values lack them: %s", typ, strings.Join(some, ", "))
}

// close removes the temporary folders.
func (l *Opened) close() error {
	var err error
	if l.space != nil {
		err = l.space.Close()
	}
	for _, dir := range []string{l.derived, l.fitDir} {
		if dir != "" {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	return err
}
