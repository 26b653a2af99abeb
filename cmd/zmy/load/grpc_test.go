package load

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

func grpcCells() *GRPC {
	m := grpcload.Point(grpcload.Cell{Codec: "zmy", Size: 1_000, Streams: 2})
	m.Kinds, m.Codecs = grpcload.Kinds, []string{"zmy", "protobuf"}
	return &GRPC{Groups: []grpcload.Group{{Title: "By codec", Cells: m.Cells()}, {Title: "One", Cells: m.Cells()[:1]}},
		For: 20 * time.Millisecond, Rounds: 2, Seed: 1}
}

// TestGRPC measures a few cells twice, in a report that keeps the lab's promises.
func TestGRPC(t *testing.T) {
	g := grpcCells()
	var said []string
	g.Progress = func(what string) { said = append(said, what) }
	r, err := g.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(said) != 16 || !strings.HasPrefix(said[15], "16 of 16: ") || len(r.Cells) != 8 {
		t.Errorf("%d cells, said %q", len(r.Cells), said)
	}
	x, err := g.Experiment(r, run.Host{}, []string{"zmy", "load", "grpc"}, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
	if len(x.Tables) != 4 || len(x.Tables[0].Rows) != 8 || len(x.Tables[1].Rows) != 8 || len(x.Tables[2].Rows) != 1 ||
		len(x.Charts) != 1 || len(x.Absent) != 1 {
		t.Errorf("%d tables, %d charts, absent %q", len(x.Tables), len(x.Charts), x.Absent)
	}
	for _, row := range x.Tables[0].Rows {
		if mbps := row[2]; mbps.Value == nil || mbps.Lo == nil || *mbps.Lo > *mbps.Value || *mbps.Hi < *mbps.Value {
			t.Errorf("%s %s: %+v", row[0].Text, row[1].Text, mbps)
		}
	}
	for _, write := range []func(io.Writer, *run.Experiment) error{report.ExperimentHTML, report.ExperimentMarkdown,
		report.ExperimentJSON} {
		var b bytes.Buffer
		if err := write(&b, x); err != nil || !strings.Contains(b.String(), "protobuf") {
			t.Errorf("%v, %d bytes", err, b.Len())
		}
	}
}

// TestGRPCCrowd measures many connections, as far as a test has them.
func TestGRPCCrowd(t *testing.T) {
	g := &GRPC{Rounds: 2, Seed: 1}
	for _, qps := range []float64{300, 600} {
		for _, codec := range []string{"protobuf", "flatbuffers"} {
			g.Crowds = append(g.Crowds, grpcload.Crowd{Codec: codec, Size: 300, Conns: 20, QPS: qps, For: 100 * time.Millisecond, Seed: 1})
		}
	}
	r, err := g.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x, err := g.Experiment(r, run.Host{}, []string{"zmy", "load", "grpc"}, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
	if x.Name != "load-grpc-conns" || len(x.Tables) != 2 || len(x.Tables[0].Rows) != 4 || len(x.Findings) != 4 ||
		!strings.HasPrefix(x.Findings[1], "flatbuffers, 300/s: ") || x.Tables[0].Rows[2][0].Text != "protobuf, 600/s" {
		t.Errorf("%s, %d tables, %q", x.Name, len(x.Tables), x.Findings)
	}
}

// TestGRPCCrowdLate: calls that were made late leave doubt about every time of their row, in any
// round, and about no other row.
func TestGRPCCrowdLate(t *testing.T) {
	g := &GRPC{Rounds: 2}
	of := func(codec string, late ...time.Duration) (rs []*grpcload.CrowdResult) {
		c := grpcload.Crowd{Codec: codec, Size: 300, Conns: 20, QPS: 300, For: time.Second}
		g.Crowds = append(g.Crowds, c)
		for _, d := range late {
			response, lateness := new(Histogram), new(Histogram)
			for range 300 {
				response.Record(1e6)
				lateness.Record(int64(d))
			}
			rs = append(rs, &grpcload.CrowdResult{Crowd: c, Sent: 300, Answered: 300, Seconds: 1, Wire: 290,
				Response: grpcload.NewLatency(response), Late: grpcload.NewLatency(lateness),
				Server: &grpcload.Usage{Voluntary: 1,
					Delays: &grpcload.Delays{Bounds: []float64{0, 1e-6, 2e-6}, Counts: []uint64{10, 20}}}})
		}
		return rs
	}
	result := &GRPCResult{Crowds: [][]*grpcload.CrowdResult{of("protobuf", time.Microsecond, time.Microsecond),
		of("json", time.Microsecond, time.Millisecond)}}
	x, err := g.Experiment(result, run.Host{}, nil, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	table := x.Tables[0]
	timed := 0
	for k, col := range table.Columns {
		if table.Rows[0][k].Mark != "" {
			t.Errorf("protobuf, %s: %q", col.Name, table.Rows[0][k].Mark)
		}
		if it := table.Rows[1][k]; it.Value != nil && col.Unit == run.UnitNS {
			timed++
			if it.Mark != "doubt" {
				t.Errorf("json, %s: %q", col.Name, it.Mark)
			}
		}
	}
	if timed < 3 || table.Rounds != 2 || len(x.Warnings) != 1 {
		t.Errorf("%d times, %d rounds, %q", timed, table.Rounds, x.Warnings)
	}
}

// TestGRPCStopped: what was measured before the end is kept, and failures are named.
func TestGRPCStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	g := grpcCells()
	g.Progress = func(string) { stop() }
	r, err := g.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(r.Cells) != 1 || !r.Measured() {
		t.Errorf("%d cells, %v", len(r.Cells), err)
	}
	g = grpcCells()
	g.Addr = "127.0.0.1:1" // where nobody listens
	if r, err := g.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") || r.Measured() {
		t.Errorf("%v", err)
	}
}

// TestGRPCShows figures that are not known as such, and failures with their number.
func TestGRPCShows(t *testing.T) {
	g := grpcCells()
	c := g.Groups[1].Cells[0]
	g.Groups = g.Groups[1:]
	bad := &grpcload.Result{Cell: c, Messages: 0, Errors: map[string]int{"Unavailable": 7, "changed message": 1},
		Client: grpcload.Usage{Objects: 3}, Server: &grpcload.Usage{}}
	g.Self = true
	x, err := g.Experiment(&GRPCResult{Cells: map[grpcload.Cell][]*grpcload.Result{c: {bad}}}, run.Host{},
		nil, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	experimenttest.Check(t, x)
	row := x.Tables[0].Rows[0]
	last := row[len(row)-1]
	if *last.Value != 8 || last.Mark != "bad" || len(x.Warnings) != 1 ||
		!strings.Contains(x.Warnings[0], "Unavailable: 7, changed message: 1") {
		t.Errorf("%v, %q", *last.Value, x.Warnings)
	}
	for _, table := range x.Tables {
		for i, it := range table.Rows[0] {
			if name := table.Columns[i].Name; it.Value != nil && *it.Value != 0 && name != "Failed" {
				t.Errorf("%s: %v of nothing", name, *it.Value)
			}
		}
	}
}
