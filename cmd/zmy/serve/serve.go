// Package serve is the demo service behind `zmy serve`: orders and sessions over HTTP in every
// codec, events, metrics and a canary. It is put together like a real service, from the same
// packages.
//
// NOTE, the map: serve.go puts the parts together. codecs.go is the registry with its canary and
// shadow, orders.go and sessions.go are the functions that are served, events.go has the events for
// browsers, load.go serves zmy load sse, page.go serves the page.
package serve

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/zmylab/zmy/adapters/promx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
	"github.com/zmylab/zmy/codec/canary/statepage"
	"github.com/zmylab/zmy/codec/shadow"
	"github.com/zmylab/zmy/nano"
	"github.com/zmylab/zmy/sse"
)

// Options of the service. The zero value is usable.
type Options struct {
	Seed   uint64        // seed of the first orders and sessions
	Every  time.Duration // interval at which an order is added automatically; 0: never
	Mock   bool          // honour header fields of load tests (nano.Mock) from this machine, and publish events for them (package feed)
	Flush  string        // name of one of FlushPolicies, which say when events are sent; "" is the first one
	Debug  bool          // serve net/http/pprof
	Broker sse.Broker    // broker of the events; nil: in memory
	Log    *slog.Logger  // nil: slog.Default
}

// Service is the demo service.
type Service struct {
	o       Options
	log     *slog.Logger
	pool    *codec.Pool
	codecs  *codec.Registry
	api     *nano.Service
	canary  *canary.Canary
	shadow  *shadow.Codec
	metrics *promx.Metrics
	hub     *sse.Hub
	flush   FlushPolicy
	orders  *orders
	session *sessions
	handler http.Handler
}

// New returns the service with its first orders and sessions. The caller must call either Run, or
// Close to release the service without running it.
func New(ctx context.Context, o Options) (*Service, error) {
	s := &Service{o: o, log: cmp.Or(o.Log, slog.Default()), pool: new(codec.Pool), orders: newOrders(), session: newSessions()}
	if err := s.register(); err != nil {
		return nil, err
	}
	var err error
	if s.flush, err = FindFlush(o.Flush); err != nil {
		return nil, err
	}
	s.api = nano.NewService(s.codecs, nano.WithPool(s.pool), nano.WithMaxBody(maxBody), nano.WithLogger(s.log),
		nano.WithBudget(nano.NewBudget(1024)),
		nano.WithResume(resumeKey(), s.orders.version))
	if s.metrics, err = promx.New(promx.Options{
		Services: map[string]func() map[string]uint64{"api": s.api.Counts},
		Pools:    map[string]*codec.Pool{"answers": s.pool},
		Canaries: []*canary.Canary{s.canary},
		Shadows:  map[string]*shadow.Codec{"zmy": s.shadow},
	}); err != nil {
		return nil, err
	}
	s.codecs.Observe(s.metrics)
	if s.hub, err = sse.Open(ctx, o.Broker, sse.WithLogger(s.log), sse.WithMetrics(s.metrics.Events("orders")),
		sse.WithDrain(time.Second), sse.WithFlush(s.flush.policy)); err != nil {
		return nil, err
	}
	s.metrics.AddHub("orders", s.hub)
	s.fill()
	s.handler = s.routes()
	return s, nil
}

// Close closes the hub of events.
func (s *Service) Close() error { return s.hub.Close() }

// ServeHTTP serves one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

func (s *Service) routes() http.Handler {
	reg := prometheus.NewRegistry()
	reg.MustRegister(s.metrics, collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewGoCollector())

	mux := http.NewServeMux()
	mux.Handle("POST /orders", nano.HandleBy(s.api, s.createOrder))
	mux.Handle("GET /orders", nano.HandleStreamBy(s.api, s.listOrders))
	mux.Handle("GET /orders/{id}", nano.HandleBy(s.api, s.getOrder))
	mux.Handle("GET /sessions/{id}", nano.HandleBy(s.api, s.getSession))
	mux.Handle("PUT /sessions/{id}", nano.HandleBy(s.api, s.putSession))
	mux.Handle("GET /codecs", nano.HandleBy(s.api, s.listCodecs))
	mux.Handle("GET /events", s.events())
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{Registry: reg}))
	mux.Handle("/canary", statepage.New(statepage.Options{
		Title: "zmy serve", Canaries: []*canary.Canary{s.canary}, Shadows: []*shadow.Codec{s.shadow}, Allow: fromHere,
	}))
	if s.o.Debug {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	s.page(mux)
	var h http.Handler = mux
	if s.o.Mock {
		s.load(mux)
		h = nano.Mock(nano.MockOptions{Allow: fromHere})(h)
	}
	return s.choose(h)
}

// maxBody is the limit of a request's body in bytes. Together with the limits of orders and
// sessions it bounds the memory that clients can make the demo use.
const maxBody = 16 << 10

// fromHere reports whether a request comes from this machine and is meant for it. Its connection
// must be local, it must have passed no proxy, and its Host must be local. A page of another site
// cannot choose the Host, so this prevents DNS rebinding.
func fromHere(r *http.Request) bool {
	passed := slices.ContainsFunc([]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "Via"},
		func(field string) bool { return r.Header.Get(field) != "" })
	return !passed && loopback(r.RemoteAddr) && loopback(r.Host)
}

// loopback reports whether host, with or without a port, is this machine.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || net.ParseIP(strings.Trim(host, "[]")).IsLoopback()
}

// Run serves on l until ctx ends. Then open requests have 5 s to finish.
func (s *Service) Run(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	go s.produce(work)
	go func() { _ = s.canary.Run(work) }() // it returns only when work ends

	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return errors.Join(err, s.Close())
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := s.hub.Shutdown(last) // first, since open streams would keep the server from shutting down
	return errors.Join(err, server.Shutdown(last))
}
