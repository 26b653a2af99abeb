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
	life           context.Context // ends when the link is reset or closed
	end            context.CancelFunc
	passed         atomic.Int64 // bytes passed on in both directions
}

// reset closes both connections at once. Bytes on their way are lost.
func (l *link) reset() {
	l.end()
	for _, c := range []*net.TCPConn{l.client, l.server} {
		_ = c.SetLinger(0) // fails if it is closed
		_ = c.Close()
	}
}

// close closes both connections in order: bytes on their way arrive. After reset it has no effect.
func (l *link) close() {
	l.end()
	_ = l.client.Close()
	_ = l.server.Close()
}

// pass copies the bytes from src to dst, with the network's faults.
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

// hand writes b to dst, in slices if the faults say so.
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

// flowing waits while the network stalls, and then for the duration that delay returns for the
// faults. open is false if the link has ended.
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

// sleep waits for d. It returns false if the link ends before that.
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
