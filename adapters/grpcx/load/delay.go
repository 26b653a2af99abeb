package load

import (
	"io"
	"net"
	"sync"
	"time"
)

const (
	// underway is how many bytes a direction holds at most: more than a fast machine moves over
	// loopback within any round trip that is worth measuring, so that it is no bandwidth.
	underway = 256 << 20
	// parcelSize is how many bytes travel together at most.
	parcelSize = 64 << 10
)

// delayed is a connection whose bytes take longer: what is written is handed to the connection
// beneath later by the delay, and what that receives is handed out later by the delay, in order and
// at any rate. It stands at the client's end alone, so that the server may be any.
type delayed struct {
	net.Conn
	out, in *line
	rest    parcel // of in, partly read
	done    sync.WaitGroup
	once    sync.Once
	err     error // of Close
}

// delay returns c with a round trip that is longer by rtt; c itself for none.
func delay(c net.Conn, rtt time.Duration) net.Conn {
	return delayBy(c, rtt, newSleeper)
}

func delayBy(c net.Conn, rtt time.Duration, clock func() sleeper) net.Conn {
	if rtt <= 0 {
		return c
	}
	d := &delayed{Conn: c, out: newLine(rtt/2, clock()), in: newLine(rtt-rtt/2, clock())}
	d.done.Go(d.carryOut)
	d.done.Go(d.carryIn)
	return d
}

// Write takes a copy of b, and waits only while too much is under way. An error of the connection
// beneath is that of a later Write.
func (d *delayed) Write(b []byte) (n int, err error) {
	for n < len(b) {
		p := newParcel()
		k := copy(p.whole(), b[n:])
		if err := d.out.put(p.cut(k)); err != nil {
			return n, err
		}
		n += k
	}
	return n, nil
}

// Read returns what has come, when it is due. It is called by one goroutine at a time.
func (d *delayed) Read(b []byte) (int, error) {
	if len(d.rest.b) == 0 {
		p, err := d.in.take()
		if err != nil {
			return 0, err
		}
		d.rest = p
	}
	n := copy(b, d.rest.b)
	if d.rest.b = d.rest.b[n:]; len(d.rest.b) == 0 {
		d.rest.free()
		d.rest = parcel{}
	}
	return n, nil
}

func (d *delayed) carryOut() {
	for {
		p, err := d.out.take()
		if err != nil {
			return
		}
		_, err = d.Conn.Write(p.b)
		p.free()
		if err != nil {
			d.out.close(err)
			return
		}
	}
}

func (d *delayed) carryIn() {
	for {
		p := newParcel()
		n, err := d.Conn.Read(p.whole())
		if n > 0 && d.in.put(p.cut(n)) != nil {
			return
		}
		if err != nil {
			d.in.end(err)
			return
		}
	}
}

// Close closes the connection; what is under way is lost, as it is when a machine vanishes. It
// returns when nothing is left of it.
func (d *delayed) Close() error {
	d.once.Do(func() {
		d.out.close(net.ErrClosed)
		d.in.close(net.ErrClosed)
		d.err = d.Conn.Close()
		d.done.Wait()
	})
	return d.err
}

// parcel is bytes that travel together, in memory of a pool.
type parcel struct {
	b  []byte
	at time.Time // when they are due
	of *[parcelSize]byte
}

var parcels = sync.Pool{New: func() any { return new([parcelSize]byte) }}

func newParcel() parcel { return parcel{of: parcels.Get().(*[parcelSize]byte)} }

func (p parcel) whole() []byte { return p.of[:] }

func (p parcel) cut(n int) parcel {
	p.b = p.of[:n]
	return p
}

func (p parcel) free() { parcels.Put(p.of) }

// line is a queue from which parcels come by a delay later than they went in. One goroutine puts,
// one takes.
type line struct {
	delay time.Duration
	clock sleeper

	mu     sync.Mutex
	change sync.Cond
	queue  []parcel
	bytes  int
	err    error // of put, and of take
	last   error // of take, when the queue is empty
}

func newLine(d time.Duration, clock sleeper) *line {
	l := &line{delay: d, clock: clock}
	l.change.L = &l.mu
	return l
}

// put adds a parcel, and waits while too much is under way.
func (l *line) put(p parcel) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.bytes > 0 && l.bytes+len(p.b) > underway && l.err == nil {
		l.change.Wait()
	}
	if l.err != nil {
		return l.err
	}
	p.at = time.Now().Add(l.delay)
	l.queue = append(l.queue, p)
	l.bytes += len(p.b)
	l.change.Broadcast()
	return nil
}

// take waits for the next parcel, and until it is due.
func (l *line) take() (parcel, error) {
	l.mu.Lock()
	for len(l.queue) == 0 && l.err == nil && l.last == nil {
		l.change.Wait()
	}
	switch {
	case l.err != nil:
		defer l.mu.Unlock()
		return parcel{}, l.err
	case len(l.queue) == 0:
		defer l.mu.Unlock()
		return parcel{}, l.last
	}
	p := l.queue[0]
	l.mu.Unlock()
	ended := !l.clock.until(p.at)

	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil || ended {
		return parcel{}, cmpErr(l.err)
	}
	l.queue = l.queue[1:]
	l.bytes -= len(p.b)
	l.change.Broadcast()
	return p, nil
}

// end lets take fail when the queue is empty. The lateness of a connection's end does not
// matter: nothing is measured any more.
func (l *line) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = cmpErr(err)
	l.change.Broadcast()
}

// close lets put and take fail from now on.
func (l *line) close(err error) {
	l.mu.Lock()
	if l.err == nil {
		l.err = err
	}
	l.change.Broadcast()
	l.mu.Unlock()
	l.clock.close()
}

func cmpErr(err error) error {
	if err == nil {
		return io.ErrClosedPipe
	}
	return err
}
