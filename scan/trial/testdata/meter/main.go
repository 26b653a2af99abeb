// Meter reads batches of metrics that agents send compressed, and sums them up. It sends the batches to itself, so that a profile needs no
// network.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"runtime/pprof"
	"slices"

	"example.org/meter/series"
)

func main() {
	cpu := flag.String("cpuprofile", "", "write a CPU profile to this file")
	mem := flag.String("memprofile", "", "write a profile of allocations to this file")
	n := flag.Int("batches", 4000, "how many batches are read")
	flag.Parse()
	var bodies [][]byte
	for i := range 60 {
		b, err := series.WriteBatch(batch(i))
		if err != nil {
			log.Fatal(err)
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		if _, err := z.Write(b); err != nil || z.Close() != nil {
			log.Fatal(err)
		}
		bodies = append(bodies, zipped.Bytes())
	}
	if *cpu != "" {
		f, err := os.Create(*cpu)
		if err != nil {
			log.Fatal(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		defer pprof.StopCPUProfile()
	}
	m := &meter{totals: map[string]map[string]*series.Total{}}
	for i := range *n {
		m.take(bodies[i%len(bodies)])
	}
	if *mem != "" {
		f, err := os.Create(*mem)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := pprof.Lookup("allocs").WriteTo(f, 0); err != nil {
			log.Fatal(err)
		}
	}
}

// meter keeps sums by host and metric.
type meter struct {
	unzip  gzip.Reader
	totals map[string]map[string]*series.Total
}

// take adds a batch, and writes the summary of its host.
func (m *meter) take(body []byte) {
	if err := m.unzip.Reset(bytes.NewReader(body)); err != nil {
		log.Fatal(err)
	}
	b, err := series.Read(&m.unzip)
	if err != nil {
		log.Fatal(err)
	}
	host := m.totals[b.Host]
	if host == nil {
		host = map[string]*series.Total{}
		m.totals[b.Host] = host
	}
	s := series.Summary{Host: b.Host}
	for _, x := range b.Series {
		t := host[x.Metric]
		if t == nil {
			t = &series.Total{Metric: x.Metric, Max: math.Inf(-1)}
			host[x.Metric] = t
		}
		for _, p := range x.Points {
			t.N, t.Sum, t.Max = t.N+1, t.Sum+p.Value, max(t.Max, p.Value)
		}
		s.Points += len(x.Points)
		s.Metrics = append(s.Metrics, *t)
	}
	slices.SortFunc(s.Metrics, func(a, b series.Total) int { return bytes.Compare([]byte(a.Metric), []byte(b.Metric)) })
	if err := series.Write(io.Discard, s); err != nil {
		log.Fatal(err)
	}
}

func batch(i int) *series.Batch {
	b := &series.Batch{Host: fmt.Sprintf("node-%02d", i%20), Sent: 1700000000 + int64(10*i), Tags: map[string]string{"zone": "b", "role": "web"}}
	for k := range 12 {
		x := series.Series{Metric: fmt.Sprintf("http.server.latency.p%d", 10*k), Kind: "gauge", Unit: "ms", Tags: []string{"service:tea", "env:prod"}}
		for p := range 10 {
			x.Points = append(x.Points, series.Point{At: b.Sent + int64(p), Value: math.Round(1000*(12.5+math.Sin(float64(i*k+p))*7)) / 1000})
		}
		b.Series = append(b.Series, x)
	}
	return b
}
