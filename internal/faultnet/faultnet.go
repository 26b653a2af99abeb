// Package faultnet is a bad network for tests. It is a proxy on the loopback between a client and a
// server. Its connections are slow, split bytes into small writes, stall, are cut off or close
// late. The faults are those of toxiproxy (https://github.com/Shopify/toxiproxy). The proxy never
// changes the bytes, only when, in which pieces and how many of them are passed on.
package faultnet

import (
	"context"
	"net"
	"sync"
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
	// Stall, while it is set, passes nothing on. Connections stay open.
	Stall bool
	// SlowClose is how long the proxy waits until it tells one end that the other has closed.
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
