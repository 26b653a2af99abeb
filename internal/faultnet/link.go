package faultnet

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// link is one connection through the proxy.
type link struct {
	proxy          *Proxy
	client, server *net.TCPConn
	life           context.Context // ends when the link is cut
	end            context.CancelFunc
	passed         atomic.Int64 // bytes, of both directions
}

// reset ends both connections without an orderly end: what was on its way is lost.
func (l *link) reset() {
	l.end()
	for _, c := range []*net.TCPConn{l.client, l.server} {
		_ = c.SetLinger(0) // it may be closed
		_ = c.Close()
	}
}

// close ends both connections in order: what is on its way arrives. One that was reset takes no
// notice.
func (l *link) close() {
	l.end()
	_ = l.client.Close()
	_ = l.server.Close()
}

// pass copies what comes from src to dst, as the network's faults allow.
func (l *link) pass(dst, src *net.TCPConn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 && l.hand(dst, buf[:n]) != nil {
			l.reset()
			return
		}
		switch {
		case errors.Is(err, io.EOF):
			if _, open := l.flowing(func(f Faults) time.Duration { return f.SlowClose }); !open || dst.CloseWrite() != nil {
				l.reset()
			}
			return
		case err != nil:
			l.reset()
			return
		}
	}
}

var errCut = errors.New("cut")

// hand writes b to dst, in slices.
func (l *link) hand(dst *net.TCPConn, b []byte) error {
	for len(b) > 0 {
		f, open := l.flowing(func(f Faults) time.Duration { return f.Latency })
		if !open {
			return errCut
		}
		part := b
		if f.Slice > 0 {
			part = b[:min(f.Slice, len(b))]
		}
		if f.Cut > 0 {
			left := f.Cut - int(l.passed.Load())
			if left <= 0 {
				return errCut
			}
			part = part[:min(left, len(part))]
		}
		n, err := dst.Write(part)
		l.passed.Add(int64(n))
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// flowing waits while the network stalls, then for what delay makes of its faults. open is false
// once the link has ended.
func (l *link) flowing(delay func(Faults) time.Duration) (_ Faults, open bool) {
	for {
		faults, changed := l.proxy.now()
		if !faults.Stall {
			return faults, l.sleep(delay(faults))
		}
		select {
		case <-changed:
		case <-l.life.Done():
			return faults, false
		}
	}
}

// sleep is false if the link has ended.
func (l *link) sleep(d time.Duration) bool {
	if d <= 0 {
		return l.life.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-l.life.Done():
		return false
	}
}
