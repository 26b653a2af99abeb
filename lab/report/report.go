// Package report draws a filled run: as a table for a terminal, as one offline HTML file, as Go
// benchmark lines, markdown, CSV and JSON. It computes no statistics: all that it shows is in
// run.Run.
//
// NOTE: the map of the package.
//
//	report.go    writing a folder of all forms
//	rows.go      contenders in the order that every form shows them
//	units.go     spelling of numbers, sizes and doubtful strings
//	table.go     the terminal;  notes.go  the notes below its table
//	forms.go     what codecs normalise
//	bench.go     Go benchmark format
//	text.go      markdown, CSV, JSON
//	html.go      the HTML file: its data;  svg.go  its drawings;  html/  its parts
//	ranking.go   its main table
//	capacity.go  what a load costs, what each can do, how often each came first
//
// Experiments describe their own tables and charts as data. These files draw them:
//
//	experiment.go       the terminal;  experiment_text.go  markdown, CSV
//	chart.go            the HTML file, figures and colours
//	axis.go             scales and ticks;  item.go  spelling
//	plot.go, bars.go, heat.go, flame.go   one form each
//	paper.go            lines and columns of a terminal
//
// sheet.go draws pages of other commands by the same forms.
package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zmylab/zmy/lab/run"
)

// Files of a report folder.
const (
	FileHTML     = "index.html"
	FileJSON     = "run.json"
	FileBench    = "bench.txt"
	FileMarkdown = "report.md"
	FileCSV      = "cells.csv"
	FileMore     = "experiments.csv" // only when there are experiments
)

// Files that some runs add.
const (
	FileFit     = "fit.json"    // what -fit learned; -sample takes it as well
	FileDerived = "derived.txt" // the Go type that was derived from documents
	FileLayout  = "layout.txt"  // structs with their fields reordered
)

// Files lists the files that WriteDir writes.
var Files = []string{FileJSON, FileBench, FileMarkdown, FileCSV, FileMore, FileHTML}

// WriteDir writes every form of r into dir, which it creates if need be. A file is replaced as a
// whole or not at all.
func WriteDir(dir string, r *run.Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: make folder: %w", err)
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer, *run.Run) error
	}{
		{FileJSON, JSON}, {FileBench, Bench}, {FileMarkdown, Markdown}, {FileCSV, CSV}, {FileMore, moreCSV}, {FileHTML, HTML},
	} {
		var b bytes.Buffer
		if err := f.write(&b, r); err != nil {
			return fmt.Errorf("report: %s: %w", f.name, err)
		}
		if b.Len() == 0 {
			continue
		}
		if err := replace(filepath.Join(dir, f.name), b.Bytes()); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

func moreCSV(w io.Writer, r *run.Run) error {
	if len(r.Experiments) == 0 {
		return nil
	}
	return ExperimentsCSV(w, r.Experiments)
}

// replace writes data to a temporary file and renames it to name, so that a reader never sees half
// a file.
func replace(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
