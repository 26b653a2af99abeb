// Package faultnet is a bad network for tests: a proxy on the loopback between a client and a
// server, whose connections are slow, sliced, silent, cut off or closed late. Its faults are those
// of toxiproxy (https://github.com/Shopify/toxiproxy), and what it passes on is never altered: only
// when, in what pieces and how far.
package faultnet

import (
	"context"
	"net"
	"sync"
	"time"
)

// Faults are what connections suffer, in both directions. The zero value is a network without
// faults.
type Faults struct {
	// Latency is how long each piece that was read waits before it is passed on.
	Latency time.Duration
	// Slice passes on at most so many bytes by one write; 0 as many as there are.
	Slice int
	// Cut resets a connection after so many bytes of both directions, counted from when it began; 0
	// never.
	Cut int
	// Stall passes nothing on while it is set; connections stay open.
	Stall bool
	// SlowClose is how long the other end is not told that one has closed.
	SlowClose time.Duration
}

// Proxy passes connections on to one address.
type Proxy struct {
	target   string
	listener net.Listener
	life     context.Context // ends with Close
	end      context.CancelFunc
	running  sync.WaitGroup

	mu      sync.Mutex
	faults  Faults
	changed chan struct{} // closed when faults are set
	links   map[*link]struct{}
}

// New returns a proxy to a TCP address. It has no faults yet.
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

// Addr is where to connect to: host and port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Set replaces the faults, also of connections that are open.
func (p *Proxy) Set(f Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
	close(p.changed)
	p.changed = make(chan struct{})
}

// now are the faults, and what is closed when there are others.
func (p *Proxy) now() (Faults, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults, p.changed
}

// Reset resets all connections that are open.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.reset()
	}
}

// Close resets all connections and returns when nothing of the proxy is left.
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
