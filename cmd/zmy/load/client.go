package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/nano"
)

// client sends the requests of one measurement.
type client struct {
	h    *HTTP
	http *http.Client
}

func newClient(h *HTTP) *client {
	return &client{h, &http.Client{
		Timeout: h.Timeout,
		Transport: &http.Transport{
			MaxConnsPerHost: h.Conns, MaxIdleConnsPerHost: h.Conns, MaxIdleConns: h.Conns,
			DisableCompression: true, ForceAttemptHTTP2: true,
			DialContext: (&net.Dialer{Timeout: h.Timeout}).DialContext,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *client) close() { c.http.CloseIdleConnections() }

func (c *client) request(ctx context.Context, p *Point) (*http.Request, error) {
	var body io.Reader
	if c.h.Body != nil {
		body = bytes.NewReader(c.h.Body)
	}
	r, err := http.NewRequestWithContext(ctx, c.h.Method, c.h.URL, body)
	if err != nil {
		return nil, err
	}
	for name, values := range c.h.Header {
		r.Header[name] = values
	}
	if p.Accept != "" {
		r.Header.Set("Accept", p.Accept)
	}
	if p.Latency > 0 {
		r.Header.Set(nano.MockLatency, strconv.FormatInt(p.Latency.Milliseconds(), 10))
	}
	return r, nil
}

// probe sends one request for each Accept and for each latency before the measurement. It returns
// an error if an answer is not good, because measuring errors would be useless.
func (c *client) probe(ctx context.Context) error {
	for _, accept := range append([]string{""}, c.h.Accept...) {
		resp, text, err := c.once(ctx, &Point{Accept: accept})
		if err != nil {
			return err
		}
		if resp.StatusCode/100 != 2 && !(accept == "" && len(c.h.Accept) > 0) {
			return fmt.Errorf("%s %s (Accept %q) is answered with %s: %s", c.h.Method, c.h.URL, accept, resp.Status, text)
		}
	}
	for _, l := range c.h.Latency {
		if l == 0 {
			continue
		}
		resp, _, err := c.once(ctx, &Point{Latency: l})
		if err != nil {
			return err
		}
		if resp.Header.Get(nano.MockedField) == "" {
			return fmt.Errorf("%s does not heed %s: zmy serve does with -mock, a service of yours with nano.Mock",
				c.h.URL, nano.MockLatency)
		}
	}
	return nil
}

// once sends a request of p, and returns the answer with the beginning of its body.
func (c *client) once(ctx context.Context, p *Point) (resp *http.Response, text []byte, err error) {
	r, err := c.request(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if resp, err = c.http.Do(r); err != nil {
		return nil, nil, fmt.Errorf("ask %s once: %w", c.h.URL, err)
	}
	defer resp.Body.Close()
	text, _ = io.ReadAll(io.LimitReader(resp.Body, 200))
	return resp, text, nil
}

// ask sends one request and reads the whole answer. n is the size of the body in bytes. wrong is a
// short name of the failure, "" for an answer of 2xx.
func (c *client) ask(ctx context.Context, p *Point) (n int64, wrong string) {
	r, err := c.request(ctx, p)
	if err != nil {
		return 0, "request"
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return 0, class(err)
	}
	defer resp.Body.Close()
	n, err = io.Copy(io.Discard, resp.Body)
	switch {
	case err != nil:
		return n, class(err)
	case resp.StatusCode/100 != 2:
		return n, strconv.Itoa(resp.StatusCode)
	}
	return n, ""
}

// class returns a short name for a failure of the connection.
func class(err error) string {
	var net net.Error
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.As(err, &net) && net.Timeout():
		return "timeout"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "reset"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "too many open files"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "no port left"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "cut off"
	case strings.Contains(err.Error(), "server closed"):
		return "cut off"
	}
	return "other"
}

// Histogram counts durations in ns.
type Histogram = openloop.Histogram

// warm is the length of the warm-up before a point, as a share of the point's time. Requests of the
// warm-up do not count.
const warm = 0.2

// point sends requests at the point's rate and waits for their answers.
func (c *client) point(ctx context.Context, p *Point) error {
	p.Response, p.Service, p.Errors = new(Histogram), new(Histogram), map[string]int{}
	var mu sync.Mutex // guards p's counts
	var from time.Time
	var cpu0 time.Duration
	var known bool
	g := &openloop.Generator{
		Schedule: openloop.Schedule{Rate: p.QPS, Warm: time.Duration(warm * float64(c.h.For)), For: c.h.For, Seed: c.h.Seed},
		Spin:     openloop.Brief, Spare: true,
		Counting: func() {
			from = time.Now()
			if c.h.CPU != nil {
				cpu0, known = c.h.CPU()
			}
		},
	}
	p.Open = g.Each(ctx, func(q *openloop.Call) {
		n, wrong := c.ask(ctx, p)
		if now := q.Now(); q.Counts() {
			mu.Lock()
			defer mu.Unlock()
			p.add(n, wrong, now-q.At, now-q.From)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	p.Sent, p.Late, p.Seconds = int(g.Late.N()), &g.Late, time.Since(from).Seconds()
	if known {
		if cpu1, ok := c.h.CPU(); ok {
			p.CPU = cpu1 - cpu0
		}
	}
	return nil
}

// add counts one request. wrong is what ask returned.
func (p *Point) add(n int64, wrong string, response, service time.Duration) {
	p.Bytes += n
	if wrong != "" {
		p.Errors[wrong]++
		return
	}
	p.OK++
	p.Response.Record(int64(response))
	p.Service.Record(int64(service))
}
