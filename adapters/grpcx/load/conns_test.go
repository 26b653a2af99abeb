package load

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// TestCrowd: as many connections as were asked for, calls at the rate that was asked for, all
// answered.
func TestCrowd(t *testing.T) {
	b := &Bench{Start: InProcess}
	for _, codec := range []string{"protobuf", "json", "flatbuffers", "zmy"} {
		r, err := b.Crowd(t.Context(), Crowd{Codec: codec, Size: 1_000, Conns: 40, QPS: 500, For: 200 * time.Millisecond, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Sent < 60 || r.Sent > 150 || r.Answered != r.Sent || r.Failed() != 0 || r.Response.Max <= 0 ||
			r.Client.Delays.N() == 0 || !r.Shared {
			t.Errorf("%s: %+v", codec, r)
		}
	}
	for _, c := range []Crowd{
		{Codec: "xml", Size: 1_000, Conns: 1, QPS: 1, For: 1},
		{Codec: "zmy", Size: 1, Conns: 1, QPS: 1, For: 1},
		{Codec: "zmy", Size: 1_000, QPS: 1, For: 1},
		{Codec: "zmy", Size: 1_000, Conns: 1, For: 1},
	} {
		if _, err := b.Crowd(t.Context(), c); err == nil {
			t.Errorf("%+v runs", c)
		}
	}
}

// TestOpen: calls are made when they are due, whether or not the ones before were answered. The
// server answers none until twenty wait at the same time: a closed loop of fewer would wait for
// ever.
func TestOpen(t *testing.T) {
	const together = 20
	waiting := make(chan struct{}, 1000)
	gate := make(chan struct{})
	go func() {
		for range together {
			<-waiting
		}
		close(gate)
	}()
	f, err := formOf("zmy")
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Start: faulty(t, func(s *grpc.Server) {
		d := f.desc()
		inner := d.Methods[0].Handler
		d.Methods[0].Handler = func(srv any, ctx context.Context, dec func(any) error, i grpc.UnaryServerInterceptor) (any, error) {
			m, err := inner(srv, ctx, dec, i)
			if h, _ := f.read(m); h.Size > minSize {
				waiting <- struct{}{}
				<-gate
			}
			return m, err
		}
		s.RegisterService(control(), nil)
		s.RegisterService(d, nil)
	})}
	r, err := b.Crowd(t.Context(), Crowd{Codec: "zmy", Size: 1_000, Conns: 2, QPS: 1000, For: 200 * time.Millisecond, Seed: 1})
	if err != nil || r.Failed() != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCrowdFails: failures are counted by their code, and have no latency; connections that cannot
// be made are an error.
func TestCrowdFails(t *testing.T) {
	f, err := formOf("zmy")
	if err != nil {
		t.Fatal(err)
	}
	for _, fails := range []uint32{1_000, minSize} {
		b := &Bench{Start: faulty(t, func(s *grpc.Server) {
			d := f.desc()
			inner := d.Methods[0].Handler
			d.Methods[0].Handler = func(srv any, ctx context.Context, dec func(any) error, i grpc.UnaryServerInterceptor) (any, error) {
				m, err := inner(srv, ctx, dec, i)
				if h, _ := f.read(m); h.Size == fails {
					return nil, status.Error(codes.Aborted, "no")
				}
				return m, err
			}
			s.RegisterService(control(), nil)
			s.RegisterService(d, nil)
		})}
		r, err := b.Crowd(t.Context(), Crowd{Codec: "zmy", Size: 1_000, Conns: 3, QPS: 500, For: 100 * time.Millisecond, Seed: 1})
		if fails == minSize {
			if err == nil || !strings.Contains(err.Error(), "Aborted") {
				t.Errorf("%+v, %v", r, err)
			}
			continue
		}
		if err != nil || r.Sent == 0 || r.Errors["Aborted"] != r.Sent || r.Failed() != r.Sent || r.Response.Max != 0 || r.Valid() {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// TestDelays: quantiles and the mean of a histogram with ends that are open.
func TestDelays(t *testing.T) {
	early := &Delays{Bounds: []float64{-1e300, 0, 1e-6, 2e-6, 1e300}, Counts: []uint64{0, 5, 5, 5}}
	late := &Delays{Bounds: early.Bounds, Counts: []uint64{0, 95, 9, 6}}
	d := late.since(early)
	if d.N() != 95 || d.Quantile(0.5) != time.Microsecond || d.Quantile(0.98) != 2*time.Microsecond || d.Quantile(1) != 2*time.Microsecond {
		t.Errorf("%d, %v, %v, %v", d.N(), d.Quantile(0.5), d.Quantile(0.98), d.Quantile(1))
	}
	if got, want := d.Mean(), time.Duration((90*500+4*1500+1*2000)/95); got != want {
		t.Errorf("mean %v, want %v", got, want)
	}
	var none *Delays
	if none.N() != 0 || none.Quantile(0.5) != 0 || none.Mean() != 0 || none.since(early) != nil {
		t.Error("no delays have a distribution")
	}
}
