package zmymodel

// LZ4 decompresses one LZ4 block of at most limit bytes:
// https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
func LZ4(b []byte, limit int) (out []byte, ok bool) {
	next := func() int {
		if len(b) == 0 {
			return -1 << 30
		}
		c := int(b[0])
		b = b[1:]
		return c
	}
	length := func(n int) int {
		for more := 255; n >= 15 && more == 255; n += more {
			more = next()
		}
		return n
	}
	for {
		token := next()
		n := 0
		if token >= 0 {
			n = length(token >> 4)
		}
		if token < 0 || n < 0 || n > len(b) || n > limit-len(out) {
			return nil, false
		}
		out = append(out, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return out, true
		}
		back := next() | next()<<8
		n = length(token&15) + 4
		if back <= 0 || back > len(out) || n < 0 || n > limit-len(out) {
			return nil, false
		}
		for range n {
			out = append(out, out[len(out)-back])
		}
	}
}

// ZstdStored decompresses Zstandard frames (RFC 8878) whose blocks are stored or run-length
// encoded, without checksums and dictionaries. That is enough for the vectors.
func ZstdStored(b []byte, limit int) (out []byte, ok bool) {
	for first := true; first || len(b) > 0; first = false {
		if len(b) < 6 || string(b[:4]) != "\x28\xb5\x2f\xfd" || b[4] != 0x20 {
			return nil, false
		}
		size := int(b[5]) // size of the content: a frame with a single segment has it in one byte
		b = b[6:]
		at := len(out)
		for last := false; !last; {
			if len(b) < 3 {
				return nil, false
			}
			head := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
			kind, n := head>>1&3, head>>3
			last, b = head&1 != 0, b[3:]
			take := n
			if kind == 1 {
				take = 1
			}
			if kind > 1 || take > len(b) || n > limit-len(out) {
				return nil, false
			}
			part := b[:take]
			b = b[take:]
			for kind == 1 && len(part) < n {
				part = append(part[:len(part):len(part)], part[0])
			}
			out = append(out, part...)
		}
		if len(out)-at != size {
			return nil, false
		}
	}
	return out, true
}
