package load

import (
	"io"
	"net"
	"sync"
	"time"
)

const (
	// underway is how many bytes one direction holds at most. It is more than a fast machine moves
	// over loopback within any round trip worth measuring, so it does not limit the bandwidth.
	underway = 256 << 20
	// parcelSize is how many bytes travel together at most.
	parcelSize = 64 << 10
)

// delayed is a connection with a longer round trip. Written bytes are passed to the wrapped
// connection after a delay, and received bytes are returned after a delay, in order and at any
// rate. It is used at the client's end only, so any server will do.
type delayed struct {
	net.Conn
	out, in *line
	rest    parcel // the unread rest of a parcel from in
	done    sync.WaitGroup
	once    sync.Once
	err     error // the result of Close
}

// delay returns c with a round trip that is longer by rtt. It returns c itself if rtt is 0.
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

// Write copies b. It blocks only while underway bytes are waiting to be delivered (see the
// constant). If the wrapped connection fails, a later Write returns the error.
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

// Read returns received bytes once they are due. One goroutine at a time may call it.
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

// Close closes the connection and waits for its goroutines. Bytes on their way are lost, as when a
// machine vanishes.
func (d *delayed) Close() error {
	d.once.Do(func() {
		d.out.close(net.ErrClosed)
		d.in.close(net.ErrClosed)
		d.err = d.Conn.Close()
		d.done.Wait()
	})
	return d.err
}

// parcel is a number of bytes that travel together, in memory from a pool.
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

// line is a queue that delays its parcels. One goroutine puts, another takes.
type line struct {
	delay time.Duration
	clock sleeper

	mu     sync.Mutex
	change sync.Cond
	queue  []parcel
	bytes  int
	err    error // the error of put and take
	last   error // the error of take once the queue is empty
}

func newLine(d time.Duration, clock sleeper) *line {
	l := &line{delay: d, clock: clock}
	l.change.L = &l.mu
	return l
}

// put adds a parcel. It blocks while too many bytes are under way.
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

// take waits until there is a parcel and it is due.
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

// end makes take fail once the queue is empty. The end of a connection is not delayed, because
// nothing is measured any more.
func (l *line) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = cmpErr(err)
	l.change.Broadcast()
}

// close makes put and take fail from now on.
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
