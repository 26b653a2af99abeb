package codec

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/zmylab/zmy/internal/poison"
)

// Pool keeps buffers for reuse. They are kept in classes of doubling capacity, from 64 bytes to 1
// MiB, so that a small message never holds a large buffer. Buffers of 2 MiB and more are not kept.
// A buffer that nobody has used is freed within two garbage collections. The zero value is ready. A
// Pool must not be copied after first use.
//
// Up to 1 MiB, a message in a reused buffer takes at most half the CPU time that it takes in a
// fresh one (docs/perf/codec.md). In larger classes reuse would not pay.
type Pool struct {
	classes [classCount]sync.Pool
	hint    atomic.Int64 // size of a recent message; the next one is likely as large
	made    atomic.Uint64
	counts  [countShards]poolCounts
}

const (
	minClassBits = 6  // 64 B
	maxClassBits = 20 // 1 MiB
	classCount   = maxClassBits - minClassBits + 1
)

// poolCounts counts for one of countShards groups of buffers. A buffer mostly stays with one
// processor, so processors mostly write to different counters. With one counter for all buffers,
// every processor would write to the same memory for every message.
type poolCounts struct {
	hits    atomic.Uint64
	dropped atomic.Uint64
	_       [48]byte // one cache line each
}

const countShards = 8

// Buffer holds the bytes of one message until Release.
type Buffer struct {
	B      []byte
	pool   *Pool
	counts *poolCounts
	shares atomic.Uint64 // see Lease
}

// Get returns an empty buffer with room for n bytes.
func (p *Pool) Get(n int) *Buffer {
	if class, ok := classFor(n); ok {
		if b, found := p.classes[class].Get().(*Buffer); found {
			b.pool = p
			b.counts.hits.Add(1)
			return b
		}
		n = 1 << (class + minClassBits)
	}
	shard := p.made.Add(1) % countShards
	return &Buffer{B: make([]byte, 0, n), pool: p, counts: &p.counts[shard]}
}

// Release returns b to its pool, in the class of its present capacity. Call it once. Neither b nor
// b.B may be used afterwards, not even for a length. A second call panics, unless the buffer has
// been handed out again meanwhile, which Release cannot notice; a [Lease] can.
//
// In programs built with -race or with the tag zmydebug a released Buffer is never handed out
// again. Release overwrites its bytes, and gives b.B other content and another length. With -race
// any later use of b.B, or of a slice kept from it, is also reported as a data race.
func (b *Buffer) Release() {
	p := b.pool
	if p == nil {
		if b.counts != nil {
			panic("codec: Buffer.Release: released twice: its bytes may be another message's by now")
		}
		return // it belongs to no pool
	}
	if _, holders := unshares(b.shares.Load()); holders != 0 {
		panic("codec: Buffer.Release: the buffer is leased; its last holder's Lease.Release releases it")
	}
	b.pool = nil
	if poison.On {
		poison.Retire(&b.B, func(emptied []byte) { p.keep(&Buffer{B: emptied, counts: b.counts}) })
		return
	}
	b.B = b.B[:0]
	p.keep(b)
}

// keep puts b, which is empty, into the largest class that its capacity covers.
func (p *Pool) keep(b *Buffer) {
	class := bits.Len(uint(cap(b.B))) - 1 - minClassBits
	if class < 0 || class >= classCount {
		b.counts.dropped.Add(1)
		return
	}
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

// MarshalPooled marshals v into a buffer of the pool. The caller releases the buffer once its bytes
// are no longer read.
func MarshalPooled(c Codec, p *Pool, v any) (*Buffer, error) {
	if own, ok := As[Pooled](c); ok {
		return own.MarshalPooled(p, v)
	}
	hint := p.hint.Load()
	b := p.Get(int(min(hint, 1<<maxClassBits)))
	out, err := Append(c, b.B, v)
	if err != nil {
		b.Release()
		return nil, err
	}
	b.B = out
	if n := int64(len(out)); bits.Len64(uint64(n)) != bits.Len64(uint64(hint)) {
		p.hint.Store(n) // only if the class changes, because a write for each message would make processors wait for each other
	}
	return b, nil
}

// PoolStats counts what a Pool has done.
type PoolStats struct {
	Hits    uint64 // buffers that were reused
	Misses  uint64 // buffers that were made
	Dropped uint64 // buffers that were too large or too small for any class when released
}

// HitRate returns the share of buffers that were reused, 0 if none was.
func (s PoolStats) HitRate() float64 {
	if s.Hits == 0 {
		return 0
	}
	return float64(s.Hits) / float64(s.Hits+s.Misses)
}

// Stats returns the counts so far.
func (p *Pool) Stats() PoolStats {
	s := PoolStats{Misses: p.made.Load()}
	for i := range p.counts {
		s.Hits += p.counts[i].hits.Load()
		s.Dropped += p.counts[i].dropped.Load()
	}
	return s
}
