package codec

import "fmt"

// Lease is a share in a buffer that several goroutines read. For instance, one message is written
// to many connections, or a value is read in place while its bytes are stored. The buffer returns
// to its pool when the last holder has released its share, neither earlier nor later. So pooled
// bytes can be handed on without a copy for each reader.
//
//	l, err := codec.MarshalLeased(c, pool, v) // one holder
//	for _, conn := range conns {
//		l.Retain() // one more, before the other goroutine starts
//		go func() {
//			defer l.Release()
//			conn.Write(l.Bytes())
//		}()
//	}
//	l.Release()
//
// A Lease is a small value to be copied. All copies are the same lease, and each Retain is paired
// with one Release. Use after the last Release panics, even if the buffer has been reused for
// another message since. Use of a slice that was kept from Bytes is noticed only in programs built
// with -race or with the tag zmydebug, see [Buffer.Release].
type Lease struct {
	b   *Buffer
	gen uint32 // number of the buffer's use to which this lease belongs
}

// Buffer.shares has the number of the buffer's use in its upper half and the number of holders in
// its lower half. The last Release begins a new use, so leases of earlier uses can be recognised.
func shares(gen, holders uint32) uint64       { return uint64(gen)<<32 | uint64(holders) }
func unshares(s uint64) (gen, holders uint32) { return uint32(s >> 32), uint32(s) }

// Lease turns b, which the caller owns, into a lease with one holder. From then on b belongs to the
// lease: do not release b itself, and do not change its bytes.
func (b *Buffer) Lease() Lease {
	gen, holders := unshares(b.shares.Load())
	if holders != 0 {
		panic("codec: Buffer.Lease: the buffer is leased already; use Lease.Retain for one more holder")
	}
	b.shares.Store(shares(gen, 1))
	return Lease{b, gen}
}

// MarshalLeased is MarshalPooled, but returns a lease of the buffer.
func MarshalLeased(c Codec, p *Pool, v any) (Lease, error) {
	b, err := MarshalPooled(c, p, v)
	if err != nil {
		return Lease{}, err
	}
	return b.Lease(), nil
}

// Bytes returns the bytes. They may be read until Release. Nobody may change them.
func (l Lease) Bytes() []byte {
	if l.b == nil {
		l.misused("Bytes", 0)
	}
	if gen, holders := unshares(l.b.shares.Load()); gen != l.gen || holders == 0 {
		l.misused("Bytes", holders)
	}
	return l.b.B
}

// Retain adds a holder. Only a holder may call it. So a goroutine calls Retain before, not after,
// it passes the lease to another goroutine.
func (l Lease) Retain() { l.count("Retain", 1) }

// Release gives up one share. The holder must not use the lease or its bytes afterwards. The last
// Release returns the buffer to its pool.
func (l Lease) Release() {
	if l.count("Release", -1) > 0 {
		return
	}
	l.b.Release()
}

// count adds by, 1 or -1, to the number of holders and returns the new number.
func (l Lease) count(op string, by int32) uint32 {
	if l.b == nil {
		l.misused(op, 0)
	}
	for {
		old := l.b.shares.Load()
		gen, holders := unshares(old)
		if gen != l.gen || holders == 0 {
			l.misused(op, holders)
		}
		left := uint32(int32(holders) + by)
		next := shares(gen, left)
		if left == 0 {
			next = shares(gen+1, 0)
		}
		if l.b.shares.CompareAndSwap(old, next) {
			return left
		}
	}
}

func (l Lease) misused(op string, holders uint32) {
	switch {
	case l.b == nil:
		panic("codec: Lease." + op + ": this is the zero Lease; make one by MarshalLeased or Buffer.Lease")
	case holders == 0:
		panic("codec: Lease." + op + " after the last Release: the buffer is back in its pool; " +
			"each holder needs a Retain of its own and releases once")
	}
	panic(fmt.Sprintf("codec: Lease.%s after the last Release: the buffer is reused by another lease; "+
		"each holder needs a Retain of its own and releases once", op))
}
