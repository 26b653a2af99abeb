package faultnet_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/faultnet"
	"github.com/zmylab/zmy/internal/patience"
)

// echo serves connections that are sent back what they send, and a proxy to it.
func echo(t *testing.T) *faultnet.Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	p, err := faultnet.New(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func dial(t *testing.T, p *faultnet.Proxy) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*net.TCPConn)
}

// Whatever delays and slices it, what is passed on is what was sent.
func TestUnaltered(t *testing.T) {
	for _, f := range []faultnet.Faults{{}, {Slice: 7}, {Latency: time.Millisecond},
		{Slice: 100, Latency: time.Microsecond, SlowClose: 10 * time.Millisecond}} {
		p := echo(t)
		p.Set(f)
		c := dial(t, p)
		sent := bytes.Repeat([]byte("what is sent\n"), 500)
		go func() {
			_, _ = c.Write(sent)
			_ = c.CloseWrite()
		}()
		got, err := io.ReadAll(c)
		if err != nil || !bytes.Equal(got, sent) {
			t.Errorf("%+v: %d of %d bytes, %v", f, len(got), len(sent), err)
		}
	}
}

func TestCut(t *testing.T) {
	p := echo(t)
	p.Set(faultnet.Faults{Cut: 15}) // 10 there, 5 back
	c := dial(t, p)
	if _, err := io.WriteString(c, "0123456789"); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err == nil || len(got) > 5 {
		t.Errorf("%q, %v", got, err)
	}
}

// A stall is silence, not an end, and what was sent meanwhile comes when it is over.
func TestStall(t *testing.T) {
	p := echo(t)
	c := dial(t, p)
	buf := make([]byte, 1)
	talk := func() error {
		if _, err := c.Write([]byte("x")); err != nil {
			return err
		}
		_, err := io.ReadFull(c, buf)
		return err
	}
	if err := talk(); err != nil {
		t.Fatal(err)
	}
	p.Set(faultnet.Faults{Stall: true})
	_ = c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if err := talk(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("while nothing is passed on: %v", err)
	}
	_ = c.SetReadDeadline(time.Time{})
	p.Set(faultnet.Faults{})
	if _, err := io.ReadFull(c, buf); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	p.Reset()
	if _, err := c.Read(buf); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("reset: %v", err)
	}
}

// Close leaves nothing behind, also while the network stalls.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	p := echo(t)
	c := dial(t, p)
	p.Set(faultnet.Faults{Stall: true})
	if _, err := c.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	p.Close()
	if !patience.Wait(time.Minute, func() bool { return runtime.NumGoroutine() <= before+1 }) { // the listener's
		t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}
