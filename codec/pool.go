package codec

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// Pool keeps buffers for reuse, in classes of doubling capacity from 64 bytes to
// 1 MiB, so that a small message never pins a large buffer. Buffers of
// 2 MiB and more are left to the garbage collector. The zero value is ready; a Pool must not be
// copied after first use.
type Pool struct {
	classes [classCount]sync.Pool
	last    atomic.Int64 // size of the last message: the next is likely as large
	hits    atomic.Uint64
	misses  atomic.Uint64
	dropped atomic.Uint64
}

const (
	minClassBits = 6  // 64 B
	maxClassBits = 20 // 1 MiB
	classCount   = maxClassBits - minClassBits + 1
)

// Buffer holds the bytes of one message until Release.
type Buffer struct {
	B      []byte
	pool   *Pool
	shares atomic.Uint64 // see Lease
}

// Get returns an empty buffer with room for n bytes.
func (p *Pool) Get(n int) *Buffer {
	if class, ok := classFor(n); ok {
		if b, found := p.classes[class].Get().(*Buffer); found {
			p.hits.Add(1)
			b.pool = p
			return b
		}
		n = 1 << (class + minClassBits)
	}
	p.misses.Add(1)
	return &Buffer{B: make([]byte, 0, n), pool: p}
}

// Release returns b to its pool, in the class of the capacity that it has grown
// to. It is called once; neither b nor b.B may be used afterwards.
func (b *Buffer) Release() {
	p := b.pool
	if p == nil {
		return
	}
	if _, holders := unshares(b.shares.Load()); holders != 0 {
		panic("codec: Buffer.Release: the buffer is leased; its last holder's Lease.Release releases it")
	}
	b.pool = nil
	class := bits.Len(uint(cap(b.B))) - 1 - minClassBits // the class it fills
	if class < 0 || class >= classCount {
		p.dropped.Add(1)
		return
	}
	b.B = b.B[:0]
	p.classes[class].Put(b)
}

// classFor returns the smallest class whose buffers have room for n bytes.
func classFor(n int) (class int, ok bool) {
	if n <= 1<<minClassBits {
		return 0, true
	}
	class = bits.Len(uint(n-1)) - minClassBits
	return class, class < classCount
}

// MarshalPooled marshals v into a buffer of the pool. The caller releases it when
// the bytes are no longer read.
func MarshalPooled(c Codec, p *Pool, v any) (*Buffer, error) {
	if own, ok := As[Pooled](c); ok {
		return own.MarshalPooled(p, v)
	}
	b := p.Get(int(min(p.last.Load(), 1<<maxClassBits)))
	out, err := Append(c, b.B, v)
	if err != nil {
		b.Release()
		return nil, err
	}
	b.B = out
	p.last.Store(int64(len(out)))
	return b, nil
}

// PoolStats counts what a Pool has done.
type PoolStats struct {
	Hits    uint64 // buffers that were reused
	Misses  uint64 // buffers that were made
	Dropped uint64 // buffers that fitted no class when released
}

// HitRate is the share of buffers that were reused, 0 before the first.
func (s PoolStats) HitRate() float64 {
	if s.Hits == 0 {
		return 0
	}
	return float64(s.Hits) / float64(s.Hits+s.Misses)
}

// Stats returns the counts so far.
func (p *Pool) Stats() PoolStats {
	return PoolStats{p.hits.Load(), p.misses.Load(), p.dropped.Load()}
}
