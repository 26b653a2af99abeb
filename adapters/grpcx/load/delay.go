package load

import (
	"net"
	"sync"
	"time"
)

// buffered is how many bytes are under way at most, like a socket's send buffer.
const buffered = 16 << 20

// delayed is a connection whose bytes take a while: what is written arrives later by delay,
// in order and at any rate. Both ends are wrapped, each for one half of the round trip.
type delayed struct {
	net.Conn
	delay time.Duration

	mu     sync.Mutex
	room   *sync.Cond
	queue  []parcel
	bytes  int
	err    error // of writing; sticky
	closed bool
	wake   chan struct{} // there is something in the queue
	quit   chan struct{} // closed by Close
	done   chan struct{} // the courier has ended
}

type parcel struct {
	b  []byte
	at time.Time
}

// delay returns c with a delay; c itself for none.
func delay(c net.Conn, d time.Duration) net.Conn {
	if d <= 0 {
		return c
	}
	l := &delayed{Conn: c, delay: d, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	l.room = sync.NewCond(&l.mu)
	go l.carry()
	return l
}

// Write takes a copy of b, and waits only while too much is under way.
func (d *delayed) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.bytes > 0 && d.bytes+len(b) > buffered && d.err == nil && !d.closed {
		d.room.Wait()
	}
	switch {
	case d.err != nil:
		return 0, d.err
	case d.closed:
		return 0, net.ErrClosed
	}
	d.queue = append(d.queue, parcel{append([]byte(nil), b...), time.Now().Add(d.delay)})
	d.bytes += len(b)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return len(b), nil
}

// carry delivers, until the connection is closed or broken.
func (d *delayed) carry() {
	defer close(d.done)
	for {
		d.mu.Lock()
		if d.closed || d.err != nil {
			d.mu.Unlock()
			return
		}
		if len(d.queue) == 0 {
			d.mu.Unlock()
			select {
			case <-d.wake:
			case <-d.quit:
			}
			continue
		}
		p := d.queue[0]
		d.queue = d.queue[1:]
		d.mu.Unlock()
		select {
		case <-time.After(time.Until(p.at)):
		case <-d.quit:
			return
		}
		_, err := d.Conn.Write(p.b)
		d.mu.Lock()
		d.bytes -= len(p.b)
		if err != nil && d.err == nil {
			d.err = err
		}
		d.room.Broadcast()
		d.mu.Unlock()
	}
}

// Close closes the connection; what is under way is lost. It returns when the courier has ended.
func (d *delayed) Close() error {
	d.mu.Lock()
	if !d.closed {
		d.closed = true
		close(d.quit)
	}
	d.room.Broadcast()
	d.mu.Unlock()
	err := d.Conn.Close()
	<-d.done
	return err
}

// listener delays what its connections send.
type listener struct {
	net.Listener
	delay time.Duration
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return delay(c, l.delay), nil
}
