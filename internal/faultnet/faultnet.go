// Package faultnet is a bad network for tests. It is a proxy on the loopback between a client and a
// server. Its connections are slow, split bytes into small writes, stall, are cut off or close
// late. The faults are those of toxiproxy (https://github.com/Shopify/toxiproxy). The proxy never
// changes bytes. It only decides when, in which pieces and how many of them it passes on.
package faultnet

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Faults are the faults of a network, in both directions. The zero value is a network without
// faults.
type Faults struct {
	// Latency is how long the proxy waits before each write.
	Latency time.Duration
	// Slice is the largest number of bytes in one write; 0 means no limit.
	Slice int
	// Cut is the number of bytes after which a connection is reset. It counts both directions from
	// the start of the connection; 0 means never.
	Cut int
	// Stall makes the proxy pass nothing on while it is true. Connections stay open.
	Stall bool
	// SlowClose is how long the proxy waits before it passes on that one end has closed its
	// connection.
	SlowClose time.Duration
}

// Proxy passes TCP connections on to one address. It is safe for concurrent use.
type Proxy struct {
	target   string
	listener net.Listener
	life     context.Context // Close ends it
	end      context.CancelFunc
	running  sync.WaitGroup

	mu      sync.Mutex
	faults  Faults
	changed chan struct{} // Set closes and replaces it
	links   map[*link]struct{}
}

// New starts a proxy to a TCP address, without faults. The caller must Close it.
func New(target string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: target, listener: l, changed: make(chan struct{}), links: map[*link]struct{}{}}
	p.life, p.end = context.WithCancel(context.Background())
	p.running.Go(p.accept)
	return p, nil
}

// Addr returns the proxy's address: host and port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Set replaces the faults, for open connections too.
func (p *Proxy) Set(f Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
	close(p.changed)
	p.changed = make(chan struct{})
}

// now returns the faults, and a channel that is closed when they are replaced.
func (p *Proxy) now() (Faults, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults, p.changed
}

// Reset resets all open connections.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.reset()
	}
}

// Close resets all connections. It returns when all goroutines of the proxy have ended.
func (p *Proxy) Close() {
	p.end()
	_ = p.listener.Close()
	p.running.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.connect(client) })
	}
}

// connect passes one connection on until it ends.
func (p *Proxy) connect(client net.Conn) {
	var d net.Dialer
	server, err := d.DialContext(p.life, "tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	l := &link{proxy: p, client: client.(*net.TCPConn), server: server.(*net.TCPConn)}
	l.life, l.end = context.WithCancel(p.life)
	p.mu.Lock()
	p.links[l] = struct{}{}
	p.mu.Unlock()
	defer context.AfterFunc(p.life, l.reset)()
	var both sync.WaitGroup
	both.Go(func() { l.pass(l.server, l.client) })
	both.Go(func() { l.pass(l.client, l.server) })
	both.Wait()
	l.close()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// link is one connection through the proxy.
type link struct {
	proxy          *Proxy
	client, server *net.TCPConn
	life           context.Context // ends when the link is reset or closed
	end            context.CancelFunc
	passed         atomic.Int64 // bytes passed on in both directions
}

// reset closes both connections at once. Bytes on their way are lost: without lingering, the system
// sends RST in place of FIN.
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

// hand writes b to dst, in pieces of at most Faults.Slice bytes.
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
		// Both directions claim their bytes before they write them. If they counted afterwards, an
		// answer could overtake the count of its request, and nothing would be left to cut.
		over := 0
		if passed := int(l.passed.Add(int64(len(part)))); f.Cut > 0 && passed > f.Cut {
			over = min(passed-f.Cut, len(part))
		}
		n, err := dst.Write(part[:len(part)-over])
		if err != nil {
			return err
		}
		if over > 0 {
			return errCut
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
