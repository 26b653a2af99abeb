// Package history keeps the figures of runs, one line each, and finds the commits at which they
// changed. It makes an experiment of them, which package report draws.
//
// NOTE: history.go reads and writes the lines, show.go finds the changes and shows them.
package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// File is where the history is kept if the user names no other file.
const File = ".zmylab/history.ndjson"

// Record is one run: a line of the history.
type Record struct {
	Commit string    `json:"commit,omitempty"` // abbreviated hash, with "+" if files were changed since; "" if unknown
	Time   time.Time `json:"time"`
	Type   string    `json:"type"` // with its package: example.com/app/model.Order
	Go     string    `json:"go,omitempty"`
	CPU    string    `json:"cpu,omitempty"` // the processor; times of two are not compared
	Cells  []Cell    `json:"cells"`
}

// Cell holds the figures of one codec, operation and mode.
type Cell struct {
	Codec   string             `json:"codec"`
	Op      string             `json:"op"`
	Mode    string             `json:"mode"`
	Figures map[string]float64 `json:"figures"` // by measure
}

// Measures of a cell, in the order in which they are shown.
const (
	Instructions = "instructions"
	Time         = "time" // ns
	Allocs       = "allocs"
	AllocBytes   = "bytes allocated"
	Size         = "bytes encoded"
)

var measures = []string{Instructions, Time, Allocs, AllocBytes, Size}

// Of returns the record of a run's subject and host, without cells.
func Of(r *run.Run, commit string) Record {
	name := r.Subject.Type
	if r.Subject.Package != "" {
		name = r.Subject.Package + "." + name
	}
	return Record{Commit: commit, Time: r.Started.UTC().Truncate(time.Second), Type: name, Go: r.Host.Go, CPU: r.Host.CPU}
}

// Run returns the record of a run of the codec table, by its clock.
func Run(r *run.Run, commit string) Record {
	x := Of(r, commit)
	for _, c := range r.Cells {
		x.Add(c, stats.TimeOf(r, c).Median)
	}
	return x
}

// Add adds the figures of a cell. ns is its time, or 0 if none was measured.
func (x *Record) Add(c *run.Cell, ns float64) {
	f := map[string]float64{Allocs: c.Allocs, AllocBytes: c.Bytes}
	if ns > 0 {
		f[Time] = ns
	}
	if c.Instrs > 0 {
		f[Instructions] = c.Instrs
	}
	if c.Op == stats.Encode && c.Wire > 0 {
		f[Size] = c.Wire
	}
	x.Cells = append(x.Cells, Cell{Codec: c.Codec, Op: c.Op, Mode: c.Mode, Figures: f})
}

// Append adds a line to the file, and makes the file if there is none.
func Append(name string, x Record) (err error) {
	line, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.Write(append(line, '\n'))
	return err
}

// Read reads a file of the history.
func Read(name string) ([]Record, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no history yet; add runs by zmy lab history -add zmylab/run.json, or by zmy lab gate -history %s",
			name, name)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Record
	r := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" {
			var x Record
			if bad := json.Unmarshal([]byte(text), &x); bad != nil {
				return nil, fmt.Errorf("%s:%d: no record of a run: %w; remove the line", name, n, bad)
			}
			out = append(out, x)
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}
