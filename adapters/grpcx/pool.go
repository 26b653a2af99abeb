package grpcx

import (
	"math/bits"
	"sync"

	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/internal/poison"
)

// bufferPool keeps buffers in classes of doubling size. gRPC's own pool has classes of 256 bytes,
// 4, 16 and 32 KiB and 1 MiB. It clears each buffer that it hands out, in case a reader looks
// beyond what was written. Here messages are appended, so nobody can read beyond them, and buffers
// need no clearing.
type bufferPool struct {
	classes [maxBufferBits - minBufferBits + 1]sync.Pool
}

// The smallest and the largest class. gRPC does not return buffers below its threshold for pooling,
// so smaller classes would stay empty. Buffers larger than the largest class are not kept.
const (
	minBufferBits = 11 // 2 KiB
	maxBufferBits = 20 // 1 MiB
)

// buffers is the pool of all codecs without [WithPool].
var buffers bufferPool

var _ mem.BufferPool = (*bufferPool)(nil)

// Get returns a buffer of n bytes with arbitrary content.
func (p *bufferPool) Get(n int) *[]byte {
	class := 0
	if n > 1<<minBufferBits {
		class = bits.Len(uint(n-1)) - minBufferBits
	}
	if class >= len(p.classes) {
		b := make([]byte, n)
		return &b
	}
	if b, ok := p.classes[class].Get().(*[]byte); ok {
		*b = (*b)[:n]
		return b
	}
	b := make([]byte, n, 1<<(class+minBufferBits))
	return &b
}

// Put takes a buffer back. In programs built with -race or the tag zmydebug, a later use of *b is
// detected, as after codec.Buffer.Release.
func (p *bufferPool) Put(b *[]byte) {
	if poison.On {
		poison.Retire(b, func(emptied []byte) { p.keep(&emptied) })
		return
	}
	p.keep(b)
}

// keep puts b into the largest class whose buffers are not larger than b.
func (p *bufferPool) keep(b *[]byte) {
	class := bits.Len(uint(cap(*b))) - 1 - minBufferBits
	if class >= 0 && class < len(p.classes) {
		p.classes[class].Put(b)
	}
}
