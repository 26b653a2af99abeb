// Package promx exports what codecs do as metrics for Prometheus:
//
//   - durations and sizes by codec and operation, and by gRPC method, as native histograms
//   - errors by class
//   - how often pools had a buffer
//   - the state of canaries, shadows, breakers, degraders and fallbacks
//   - requests that nano did not serve as usual
//   - what hubs of events do
//
// Example:
//
//	m, err := promx.New(promx.Options{Pools: map[string]*codec.Pool{"replies": &pool}})
//	registry.Observe(m)           // of codecs
//	prometheus.MustRegister(m)
//	http.Handle("/metrics", promhttp.Handler())
//
// Prometheus 3.8 or newer reads native histograms in the protobuf format if
// scrape_native_histograms is true. In the text format they have only their count and sum.
// [Dashboard] is a dashboard for Grafana.
//
// Labels are names of codecs, operations, methods and classes, and names in [Options]: few, and
// known beforehand. Types, tenants, keys and topics never become labels.
//
// NOTE, the map of the package:
//
//	promx.go     operations of codecs
//	calls.go     operations by gRPC method
//	hubs.go      events of package sse
//	collect.go   what is counted elsewhere and read when metrics are collected
package promx

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/shadow"
	"github.com/zmylab/zmy/sse"
)

// Dashboard is a dashboard that Grafana can import unchanged. A test checks that its panels use
// metrics of this package only, and all of them.
//
//go:embed dashboard.json
var Dashboard []byte

// Options of metrics. The keys of maps become labels.
type Options struct {
	Pools    map[string]*codec.Pool
	Canaries []*canary.Canary
	Shadows  map[string]*shadow.Codec
	// Breakers return how many breakers of a group are in each state, such as "open". They are
	// called when metrics are collected. Use guardx.Breakers.Counts. Use one entry for a group of
	// tenants: a label for each tenant would grow without limit.
	Breakers map[string]func() map[string]int

	// Degraders return the state of a degrader of gRPC calls: "primary", "fallback" or "half-open".
	// share is the share of calls that begin with the primary codec. trips is how often the
	// fallback was chosen. Use grpcx.Degrader.Standing.
	Degraders map[string]func() (state string, share float64, trips uint64)
	// Services return how often a service of package nano did not answer as usual, by outcome. Use
	// nano.Service.Counts.
	Services map[string]func() map[string]uint64

	// MaxCodecs limits how many names of codecs become labels. Later ones are counted as "other". 0
	// means 32.
	MaxCodecs int
	// MaxMethods does the same for gRPC methods, each with all its codecs and both sides. 0 means
	// 256.
	MaxMethods int

	// ClassicBuckets adds buckets with fixed bounds to the histograms, for scrapers that do not
	// read native histograms: from 1 µs to 1 s, and from 64 B to 16 MiB.
	ClassicBuckets bool

	// Exemplar returns labels that lead from a histogram to an operation, such as its trace_id, or
	// nil. It is called for each operation.
	Exemplar func(ctx context.Context) prometheus.Labels
}

// Metrics is a [codec.Observer] and a [prometheus.Collector].
type Metrics struct {
	opt       Options
	codecs    vectors
	calls     vectors
	fallbacks *prometheus.CounterVec
	events    eventMetrics

	mu     sync.Mutex // held to add series or hubs
	series atomic.Pointer[map[string]*series]
	hubs   map[string]*sse.Hub
}

var (
	_ codec.Observer       = (*Metrics)(nil)
	_ prometheus.Collector = (*Metrics)(nil)
)

// series are the histograms of one codec. They are found by one look-up, without allocating.
type series [codec.NumOps]struct {
	once sync.Once // a series is made with its first operation
	operation
}

// vectors are the metrics of operations: those of codecs, or those on the messages of gRPC calls.
type vectors struct {
	duration, size *prometheus.HistogramVec
	errors         *prometheus.CounterVec
}

// operation counts one operation of a codec, or of a codec in one gRPC method.
type operation struct {
	labels         []string
	duration, size prometheus.Observer
	errors         *prometheus.CounterVec
}

func (v *vectors) of(labels ...string) operation {
	return operation{labels, v.duration.WithLabelValues(labels...), v.size.WithLabelValues(labels...), v.errors}
}

// count counts e. The size of a message is counted if there is one, and an error if it has a class.
func (o *operation) count(e *codec.Event, exemplar prometheus.Labels) {
	observe(o.duration, e.Duration.Seconds(), exemplar)
	if e.Err == nil {
		observe(o.size, float64(e.Size), exemplar)
	} else if class := e.Class(); class != codec.ClassNone {
		o.errors.WithLabelValues(append(o.labels[:len(o.labels):len(o.labels)], class.String())...).Inc()
	}
}

// other is the label of codecs beyond MaxCodecs, and of methods beyond MaxMethods.
const other = "other"

// New returns metrics. Register them with a prometheus.Registerer once.
func New(o Options) (*Metrics, error) {
	o.MaxCodecs = cmp.Or(max(o.MaxCodecs, 0), 32)
	o.MaxMethods = cmp.Or(max(o.MaxMethods, 0), 256)
	seen := map[string]bool{}
	for _, c := range o.Canaries {
		if seen[c.Name()] {
			return nil, fmt.Errorf("promx: two canaries have the name %q; set canary.Options.Name", c.Name())
		}
		seen[c.Name()] = true
	}
	m := &Metrics{
		opt: o,
		codecs: vectors{
			duration: o.durations("zmy_codec_duration_seconds", "Time that codecs took for an operation.", "codec", "op"),
			size:     o.sizes("zmy_codec_size_bytes", "Sizes of messages.", "codec", "op"),
			errors: counter("zmy_codec_errors_total", "Operations of codecs that failed, by class of the error.",
				"codec", "op", "class"),
		},
		fallbacks: counter("zmy_codec_fallbacks_total",
			"Values that a fallback handed to its secondary codec, by class of the primary's error.", "fallback", "class"),
		calls:  o.calls(),
		events: newEventMetrics(&o),
		hubs:   map[string]*sse.Hub{},
	}
	m.series.Store(&map[string]*series{})
	return m, nil
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// durations returns a histogram of seconds, sizes one of bytes.
func (o *Options) durations(name, help string, labels ...string) *prometheus.HistogramVec {
	return o.histogram(name, help, prometheus.ExponentialBuckets(1e-6, 4, 11), labels)
}

func (o *Options) sizes(name, help string, labels ...string) *prometheus.HistogramVec {
	return o.histogram(name, help, prometheus.ExponentialBuckets(64, 4, 10), labels)
}

// histogram returns a native histogram. Its buckets grow by a factor of at most 1.1 (client_golang
// takes 2^(1/8)), so that a quantile is known within 5%. It has at most 160 buckets.
func (o *Options) histogram(name, help string, classic []float64, labels []string) *prometheus.HistogramVec {
	h := prometheus.HistogramOpts{
		Name: name, Help: help,
		NativeHistogramBucketFactor:     1.1,
		NativeHistogramMaxBucketNumber:  160,
		NativeHistogramMinResetDuration: time.Hour,
	}
	if o.ClassicBuckets {
		h.Buckets = classic
	}
	return prometheus.NewHistogramVec(h, labels)
}

// Begin does nothing.
func (m *Metrics) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }

// End counts an operation.
func (m *Metrics) End(ctx context.Context, e codec.Event) {
	if int(e.Op) >= codec.NumOps {
		return
	}
	name, s := m.find(e.Codec)
	x := &s[e.Op]
	x.once.Do(func() { x.operation = m.codecs.of(name, e.Op.String()) })
	x.count(&e, m.exemplar(ctx))
}

func (m *Metrics) exemplar(ctx context.Context) prometheus.Labels {
	if m.opt.Exemplar == nil {
		return nil
	}
	return m.opt.Exemplar(ctx)
}

func observe(o prometheus.Observer, v float64, exemplar prometheus.Labels) {
	if x, ok := o.(prometheus.ExemplarObserver); ok && exemplar != nil {
		x.ObserveWithExemplar(v, exemplar)
		return
	}
	o.Observe(v)
}

// find returns the label and series of a codec.
func (m *Metrics) find(name string) (string, *series) {
	all := *m.series.Load()
	if s, ok := all[name]; ok {
		return name, s
	}
	if len(all) > m.opt.MaxCodecs { // MaxCodecs codecs and other
		return other, all[other]
	}
	return m.add(name)
}

// add replaces the map of series by one that also has the codec, or other.
func (m *Metrics) add(name string) (string, *series) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := *m.series.Load()
	if len(all) >= m.opt.MaxCodecs {
		name = other
	}
	if s, ok := all[name]; ok {
		return name, s
	}
	all = maps.Clone(all)
	s := new(series)
	all[name] = s
	m.series.Store(&all)
	return name, s
}

// Fallback wraps the condition of a [codec.Fallback], or of codec.AppendFirst. The errors for which
// the condition is true are counted under a name:
//
//	codec.Fallback(codec.Gob{}, m.Fallback("sessions", codec.WhenClass(codec.ClassType)), codec.StdJSON{})
func (m *Metrics) Fallback(name string, when func(error) bool) func(error) bool {
	return func(err error) bool {
		ok := when(err)
		if ok {
			m.fallbacks.WithLabelValues(name, codec.ClassOf(err).String()).Inc()
		}
		return ok
	}
}
