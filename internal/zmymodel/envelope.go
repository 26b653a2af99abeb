package zmymodel

import (
	"encoding/binary"
	"hash/crc32"
)

// Frame is the content of an envelope or a stream (ENVELOPE.md).
type Frame struct {
	Fingerprint uint64
	Checksum    bool
	Schema      []byte // nil for none
	Records     [][]byte
}

// frames is the state of one call. Its functions report a fault by panicking with a *Fault.
type frames struct {
	Limits
	flags uint16
}

func (f frames) fail(code string) { panic(&Fault{Code: code}) }

// Open decodes an envelope, or a stream if the argument stream is true.
func Open(b []byte, l Limits, stream bool) (frame Frame, fault *Fault) {
	f := frames{Limits: l.orDefaults()}
	defer func() {
		if r := recover(); r != nil {
			x, ok := r.(*Fault)
			if !ok {
				panic(r)
			}
			frame, fault = Frame{}, x
		}
	}()
	if !stream && len(b) > f.MaxWire {
		f.fail("TOO_LARGE")
	}
	if len(b) < 24 {
		f.fail("TRUNCATED")
	}
	f.header(b, stream)
	frame.Fingerprint, frame.Checksum = le.Uint64(b[8:]), f.flags&1 != 0
	size := int(min(le.Uint32(b[16:]), 1<<30)) // 1<<30 fits an int of 32 bits, and no input is as long
	if stream {
		f.stream(&frame, b, size)
		return frame, nil
	}
	switch {
	case size > len(b)-24:
		f.fail("TRUNCATED")
	case size < len(b)-24:
		f.fail("LENGTH")
	}
	f.sum(b[:24], b[24:])
	payload := b[24:]
	if f.flags>>2&3 != 0 {
		payload = f.inflate(payload)
	}
	if f.flags&2 != 0 {
		if len(payload) < 4 || uint64(le.Uint32(payload)) > uint64(len(payload)-4) {
			f.fail("TRUNCATED")
		}
		n := 4 + int(le.Uint32(payload))
		frame.Schema, payload = payload[4:n:n], payload[n:]
	}
	frame.Records = [][]byte{payload}
	return frame, nil
}

func (f *frames) header(b []byte, stream bool) {
	if string(b[:4]) != "ZMY\x01" {
		f.fail("MAGIC")
	}
	f.flags = le.Uint16(b[4:])
	switch {
	case f.flags>>5 != 0, f.flags>>2&3 == 3, b[6] != 0 || b[7] != 0,
		f.flags&1 == 0 && le.Uint32(b[20:]) != 0, f.flags>>4&1 != 0 != stream:
		f.fail("RESERVED")
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum checks the checksum of a header and its body.
func (f frames) sum(head, body []byte) {
	if f.flags&1 != 0 && crc32.Update(crc32.Checksum(head[:20], castagnoli), castagnoli, body) != le.Uint32(head[20:]) {
		f.fail("CHECKSUM")
	}
}

// stream reads the schema block, of size bytes, and the chunks after it.
func (f frames) stream(frame *Frame, b []byte, size int) {
	switch {
	case size > f.MaxWire-24:
		f.fail("TOO_LARGE")
	case f.flags&2 == 0 && size > 0:
		f.fail("LENGTH")
	case len(b) < 24+size:
		f.fail("TRUNCATED")
	}
	body := b[24 : 24+size]
	f.sum(b[:24], body)
	if f.flags&2 != 0 {
		frame.Schema = body
	}
	var record []byte
	open := false
	b = b[24+size:]
	for number := uint64(0); ; number++ {
		flags, payload, rest := f.chunk(b, number)
		b = rest
		switch first, last := flags&1 != 0, flags&2 != 0; {
		case flags == 8 && open:
			f.fail("SEQUENCE")
		case flags == 8:
			return
		case first == open:
			f.fail("SEQUENCE")
		case !last && len(payload) == 0:
			f.fail("LENGTH")
		case len(record)+len(payload) > f.maxRaw():
			f.fail("TOO_LARGE")
		default:
			record = append(record, payload...)
			if open = !last; last {
				frame.Records = append(frame.Records, record)
				record = nil
			}
		}
	}
}

func (f frames) chunk(b []byte, number uint64) (flags uint32, payload, rest []byte) {
	if len(b) < 8 {
		f.fail("TRUNCATED")
	}
	n := int(le.Uint32(b) & 0xffffff)
	flags = le.Uint32(b) >> 24
	switch {
	case flags > 15, flags&8 != 0 && (flags != 8 || n > 0), flags&4 != 0 && f.flags>>2&3 == 0:
		f.fail("RESERVED")
	case n+8 > f.MaxWire:
		f.fail("TOO_LARGE")
	case len(b) < 8+n:
		f.fail("TRUNCATED")
	}
	payload = b[8 : 8+n]
	if f.flags&1 == 0 {
		if le.Uint32(b[4:]) != 0 {
			f.fail("RESERVED")
		}
	} else {
		all := append(append(binary.LittleEndian.AppendUint64(nil, number), b[:4]...), payload...)
		if crc32.Checksum(all, castagnoli) != le.Uint32(b[4:]) {
			f.fail("CHECKSUM")
		}
	}
	rest = b[8+n:]
	if flags&4 != 0 {
		payload = f.inflate(payload)
	}
	return flags, payload, rest
}

func (l Limits) maxRaw() int {
	if l.MaxRaw == 0 {
		return max(4<<20, l.MaxWire)
	}
	return l.MaxRaw
}

// inflate decompresses a payload, which begins with u32 rawLen.
func (f frames) inflate(b []byte) []byte {
	if len(b) < 4 {
		f.fail("TRUNCATED")
	}
	n := uint64(le.Uint32(b))
	switch {
	case n > uint64(f.maxRaw()):
		f.fail("TOO_LARGE")
	case n == 0:
		f.fail("LENGTH")
	}
	inflate := LZ4
	if f.flags>>2&3 == 2 {
		inflate = ZstdStored
	}
	out, ok := inflate(b[4:], int(n))
	if !ok {
		f.fail("COMPRESSION")
	}
	if len(out) != int(n) {
		f.fail("LENGTH")
	}
	return out
}
