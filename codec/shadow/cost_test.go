package shadow_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/shadow"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/internal/cputime"
)

// BenchmarkCost is what a shadow of 1% adds to the processor time of marshal and unmarshal of a
// session, and to that of a request of net/http over loopback around them (the client's end
// included): the median of the ratios of rounds that take both in random order, in per cent. One
// operation is such a measurement.
func BenchmarkCost(b *testing.B) {
	if _, ok := cputime.Process(); !ok {
		b.Skip("this system does not tell the processor time")
	}
	for _, k := range []struct {
		name                 string
		incumbent, candidate codec.Codec
		opt                  shadow.Options
	}{
		{"json-nothing", codec.StdJSON{}, codec.FXJSON{}, shadow.Options{Share: -1}},
		{"json-fxjson", codec.StdJSON{}, codec.FXJSON{}, shadow.Options{}},
		{"json-zmy", codec.StdJSON{}, codec.ZMY{}, shadow.Options{}},
		{"fxjson-nothing", codec.FXJSON{}, codec.ZMY{}, shadow.Options{Share: -1}},
		{"fxjson-zmy", codec.FXJSON{}, codec.ZMY{}, shadow.Options{}},
		{"fxjson-zmy-queue", codec.FXJSON{}, codec.ZMY{}, shadow.Options{Queue: 64}},
	} {
		b.Run(k.name+"/codec", func(b *testing.B) {
			s := shadow.New(k.incumbent, k.candidate, k.opt)
			compareCost(b, roundTrip(b, k.incumbent), roundTrip(b, s))
			tried(b, s, k.opt)
		})
		b.Run(k.name+"/request", func(b *testing.B) {
			s := shadow.New(k.incumbent, k.candidate, k.opt)
			compareCost(b, request(b, k.incumbent), request(b, s))
			tried(b, s, k.opt)
		})
	}
}

// BenchmarkWork is one marshal and unmarshal of a session, and one request around them, without and
// with a shadow. Its figures in docs/guide/production.md are instructions, counted by callgrind as
// the difference between 2,000 and 4,000 operations.
func BenchmarkWork(b *testing.B) {
	for _, k := range []struct {
		name      string
		incumbent codec.Codec
		candidate codec.Codec // nil for no shadow
	}{
		{"json", codec.StdJSON{}, nil},
		{"json-fxjson", codec.StdJSON{}, codec.FXJSON{}},
		{"json-zmy", codec.StdJSON{}, codec.ZMY{}},
		{"fxjson", codec.FXJSON{}, nil},
		{"fxjson-zmy", codec.FXJSON{}, codec.ZMY{}},
	} {
		c := k.incumbent
		if k.candidate != nil {
			c = shadow.New(k.incumbent, k.candidate, shadow.Options{})
		}
		b.Run(k.name+"/codec", func(b *testing.B) {
			work := roundTrip(b, c)
			for range b.N {
				work()
			}
		})
		b.Run(k.name+"/request", func(b *testing.B) {
			work := request(b, c)
			for range b.N {
				work()
			}
		})
	}
}

// tried fails if the shadow has not done what its cost was asked for.
func tried(b *testing.B, s *shadow.Codec, o shadow.Options) {
	b.Helper()
	r := s.Report()
	if n := r.Marshal.Trials + r.Unmarshal.Trials; (n > 0) != (o.Share >= 0) || len(r.Findings) > 0 {
		b.Fatalf("%d trials, %v", n, r.Findings)
	}
}

// compareCost reports what the second work takes beyond the first, in blocks of calls of some 25
// ms.
func compareCost(b *testing.B, plain, shadowed func()) {
	const rounds, blockTime, warmUp = 51, 25 * time.Millisecond, 200
	work := [2]func(){plain, shadowed}
	var more []float64
	for range warmUp {
		plain()
		shadowed()
	}
	begin, _ := cputime.Process()
	for range warmUp {
		plain()
	}
	end, _ := cputime.Process()
	block := max(1, int(blockTime*warmUp/max(1, end-begin)))
	for b.Loop() {
		for range rounds {
			var took [2]time.Duration
			for _, i := range rand.Perm(2) {
				runtime.GC()
				begin, _ := cputime.Process()
				for range block {
					work[i]()
				}
				end, _ := cputime.Process()
				took[i] = end - begin
			}
			more = append(more, 100*(float64(took[1])/float64(took[0])-1))
		}
	}
	slices.Sort(more)
	b.ReportMetric(more[len(more)/2], "extra-%")
}

// roundTrip marshals and unmarshals a session.
func roundTrip(b *testing.B, c codec.Codec) func() {
	v := session.SampleUserSession(rand.New(rand.NewPCG(1, 0)))
	return func() {
		text, err := c.Marshal(&v)
		if err == nil {
			err = c.Unmarshal(text, new(session.UserSession))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// request sends a session to a handler that answers with it.
func request(b *testing.B, c codec.Codec) func() {
	b.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			var v session.UserSession
			if err = c.Unmarshal(body, &v); err == nil {
				body, err = c.Marshal(&v)
			}
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(body)
	}))
	b.Cleanup(h.Close)
	conn, err := net.Dial("tcp", h.Listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	v := session.SampleUserSession(rand.New(rand.NewPCG(1, 0)))
	body, err := c.Marshal(&v)
	if err != nil {
		b.Fatal(err)
	}
	text := fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	answers := bufio.NewReader(conn)
	return func() {
		if _, err := conn.Write(text); err != nil {
			b.Fatal(err)
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK || n != int64(len(body)) {
			b.Fatalf("%s, %d bytes of %d: %v", resp.Status, n, len(body), err)
		}
	}
}
