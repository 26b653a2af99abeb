package zmyvector

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
)

// framed are envelopes and streams by category.
func framed() map[string][]raw {
	return map[string][]raw{"envelope": envelopes(), "stream": streams(), "compress": compressed()}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// envelope is one around a body, with whatever flags; flag 1 sets the checksum.
func envelope(flags uint16, fingerprint uint64, body []byte) []byte {
	b := le.AppendUint16([]byte("ZMY\x01"), flags)
	b = le.AppendUint64(append(b, 0, 0), fingerprint)
	b = le.AppendUint32(b, uint32(len(body)))
	sum := uint32(0)
	if flags&1 != 0 {
		sum = crc32.Update(crc32.Checksum(b, castagnoli), castagnoli, body)
	}
	return append(le.AppendUint32(b, sum), body...)
}

// patched is b with bytes replaced from at on.
func patched(b []byte, at int, by ...byte) []byte {
	b = bytes.Clone(b)
	copy(b[at:], by)
	return b
}

func envelopes() (out []raw) {
	add := func(id string, b []byte, l ...zmymodel.Limits) {
		r := raw{id: id, reader: "envelope", b: b}
		if len(l) > 0 {
			r.limits = l[0]
		}
		out = append(out, r)
	}
	msg := []byte{0, 0, 0, 0}
	good := envelope(1, 0x0102030405060708, msg)
	plain := envelope(0, 0, msg)
	add("checksum", good)
	add("no checksum", plain)
	add("schema block", envelope(2, 0, append([]byte{2, 0, 0, 0, 7, 8}, msg...)))
	add("empty schema block", envelope(3, 1, append([]byte{0, 0, 0, 0}, msg...)))
	add("empty message", envelope(1, 0, nil))
	add("body flipped", patched(good, 24, 1))
	add("fingerprint flipped", patched(good, 8, 9))
	add("checksum flipped", patched(good, 20, good[20]^1))
	add("checksum without flag", patched(plain, 20, 1))
	add("bare message", msg)
	add("version 2", patched(plain, 3, 2))
	add("another magic", patched(plain, 0, 'X'))
	add("reserved bytes", patched(plain, 6, 1))
	for bit := 5; bit < 16; bit++ {
		add(fmt.Sprintf("flag %d", bit), envelope(1<<bit, 0, msg))
	}
	add("compression 3", envelope(3<<2, 0, msg))
	add("stream", envelope(1<<4, 0, nil))
	add("size too small", patched(plain, 16, 3))
	add("size too large", patched(plain, 16, 5))
	add("size of 4 GiB", patched(plain, 16, 255, 255, 255, 255))
	add("schema block too long", envelope(2, 0, []byte{3, 0, 0, 0, 7, 8}))
	add("schema block of 4 GiB", envelope(2, 0, []byte{255, 255, 255, 255, 7, 8}))
	add("no size of the schema block", envelope(2, 0, []byte{3, 0, 0}))
	add("size reached", plain, zmymodel.Limits{MaxWire: len(plain)})
	add("size passed", plain, zmymodel.Limits{MaxWire: len(plain) - 1})
	return out
}

// chunk is a chunk of a stream; number is its place, below 0 for no checksum.
func chunk(number int, flags byte, payload []byte) []byte {
	b := []byte{byte(len(payload)), byte(len(payload) >> 8), byte(len(payload) >> 16), flags}
	sum := uint32(0)
	if number >= 0 {
		sum = crc32.Checksum(append(append(le.AppendUint64(nil, uint64(number)), b...), payload...), castagnoli)
	}
	return append(le.AppendUint32(b, sum), payload...)
}

func streams() (out []raw) {
	add := func(id string, l zmymodel.Limits, parts ...[]byte) {
		out = append(out, raw{id: id, reader: "stream", b: bytes.Join(parts, nil), limits: l})
	}
	const first, last, compressed, eos = 1, 2, 4, 8
	none := zmymodel.Limits{}
	plain, summed := envelope(1<<4, 1, nil), envelope(1<<4|1, 0, nil)
	end := chunk(-1, eos, nil)
	abc, d := []byte("abc"), []byte("d")
	add("two records", none, plain, chunk(-1, first, abc), chunk(-1, last, d), chunk(-1, first|last, nil), end)
	add("one chunk", none, summed, chunk(0, first|last, []byte("abcd")), chunk(1, eos, nil))
	add("no records", none, plain, end)
	add("schema block", none, envelope(1<<4|2, 0, []byte{7}), end)
	add("schema block with checksum", none, envelope(1<<4|3, 0, []byte{7, 8}), chunk(0, first|last, d), chunk(1, eos, nil))
	add("more behind the end", none, plain, end, []byte("tail"))
	add("no end", none, plain, chunk(-1, first|last, d))
	add("header only", none, plain)
	add("an envelope", none, envelope(0, 0, nil), end)
	add("body without schema", none, envelope(1<<4, 0, []byte{7}), end)
	add("schema block flipped", none, patched(envelope(1<<4|3, 0, []byte{7, 8}), 24, 9), end)
	add("chunk lost", none, summed, chunk(0, first|last, abc), chunk(2, first|last, d), chunk(3, eos, nil))
	add("chunks swapped", none, summed, chunk(1, first|last, abc), chunk(0, first|last, d), chunk(2, eos, nil))
	add("chunk doubled", none, summed, chunk(0, first|last, abc), chunk(0, first|last, abc), chunk(1, eos, nil))
	add("payload flipped", none, summed, patched(chunk(0, first|last, abc), 8, 'b'), chunk(1, eos, nil))
	add("end flipped", none, summed, chunk(0, first|last, abc), patched(chunk(1, eos, nil), 4, 0, 0, 0, 0))
	add("checksum in a stream without", none, plain, chunk(0, first|last, abc), end)
	add("record begins twice", none, plain, chunk(-1, first, abc), chunk(-1, first|last, d), end)
	add("record does not begin", none, plain, chunk(-1, last, d), end)
	add("end inside a record", none, plain, chunk(-1, first, abc), end)
	add("empty chunk", none, plain, chunk(-1, first, nil), chunk(-1, last, d), end)
	add("empty last chunk", none, plain, chunk(-1, first, abc), chunk(-1, last, nil), end)
	add("compressed in a stream without", none, plain, chunk(-1, first|last|compressed, abc), end)
	add("end with payload", none, plain, chunk(-1, eos, d))
	add("end with another flag", none, plain, chunk(-1, eos|last, nil))
	for bit := 4; bit < 8; bit++ {
		add(fmt.Sprintf("chunk flag %d", bit), none, plain, chunk(-1, first|last|1<<bit, d), end)
	}
	add("chunk of 16 MiB", none, plain, []byte{255, 255, 255, first, 0, 0, 0, 0})
	add("chunk reached", zmymodel.Limits{MaxWire: 11 + 13}, plain, chunk(-1, first|last, []byte("sixteen.bytes..!")), end)
	add("chunk passed", zmymodel.Limits{MaxWire: 11 + 12}, plain, chunk(-1, first|last, []byte("sixteen.bytes..!")), end)
	add("record passed", zmymodel.Limits{MaxWire: 32, MaxRaw: 3}, plain, chunk(-1, first, abc), chunk(-1, last, d), end)
	lz := envelope(1<<4|1<<2, 0, nil)
	add("compressed chunk", none, lz, chunk(-1, first|last|compressed, stored4(zmy.LZ4, strings.Repeat("ab", 50))), end)
	add("compressed and not", none, lz, chunk(-1, first|compressed, stored4(zmy.LZ4, strings.Repeat("ab", 50))), chunk(-1, last, d), end)
	add("compressed size too large", none, lz, chunk(-1, first|last|compressed, patched(stored4(zmy.LZ4, "abab"), 0, 255, 255, 255, 255)), end)
	return out
}

// stored4 is u32 rawLen and a compressed form of text.
func stored4(id zmy.Compression, text string) []byte {
	b := le.AppendUint32(nil, uint32(len(text)))
	if id == zmy.Zstd {
		b = append(b, 0x28, 0xb5, 0x2f, 0xfd, 0x20, byte(len(text)))
		b = append(b, byte(len(text)<<3|1), byte(len(text)>>5), 0)
		return append(b, text...)
	}
	if len(text) > 30 { // of period 2: two literals, one match, five literals
		n := len(text) - 2 - 5 - 4
		b = append(b, 2<<4|15, text[0], text[1], 2, 0)
		for n -= 15; n >= 255; n -= 255 {
			b = append(b, 255)
		}
		b = append(b, byte(n), 5<<4)
		return append(b, text[len(text)-5:]...)
	}
	return append(append(b, byte(len(text)<<4)), text...)
}

func compressed() (out []raw) {
	add := func(id string, l zmymodel.Limits, b []byte) {
		out = append(out, raw{id: id, reader: "envelope", b: b, limits: l})
	}
	none := zmymodel.Limits{}
	for _, c := range []zmy.Compression{zmy.LZ4, zmy.Zstd} {
		flags := uint16(c) << 2
		body := stored4(c, "\x00\x00\x00\x00text")
		add(c.String(), none, envelope(flags|1, 7, body))
		add(c.String()+", schema block", none, envelope(flags|2, 7, stored4(c, "\x01\x00\x00\x00s\x00\x00\x00\x00")))
		add(c.String()+", announced too much", none, envelope(flags, 0, patched(body, 0, 9)))
		add(c.String()+", announced too little", none, envelope(flags, 0, patched(body, 0, 7)))
		add(c.String()+", announced nothing", none, envelope(flags, 0, patched(body, 0, 0)))
		add(c.String()+", announced 4 GiB", none, envelope(flags, 0, patched(body, 0, 255, 255, 255, 255)))
		add(c.String()+", size reached", zmymodel.Limits{MaxWire: 64, MaxRaw: 8}, envelope(flags, 0, body))
		add(c.String()+", size passed", zmymodel.Limits{MaxWire: 64, MaxRaw: 7}, envelope(flags, 0, body))
		add(c.String()+", no size", none, envelope(flags, 0, body[:3]))
		add(c.String()+", nothing", none, envelope(flags, 0, body[:4]))
		add(c.String()+", cut", none, envelope(flags, 0, body[:len(body)-1]))
		add(c.String()+", schema block too long", none, envelope(flags|2, 0, stored4(c, "\x09\x00\x00\x00s")))
		add(c.String()+", checksum first", none, patched(envelope(flags|1, 0, body), 24, 255, 255, 255, 255))
	}
	add("lz4, match", none, envelope(4, 0, stored4(zmy.LZ4, strings.Repeat("ab", 400))))
	add("lz4, match before the start", none, envelope(4, 0, []byte{8, 0, 0, 0, 0x20, 'a', 'b', 3, 0, 0x20, 'a', 'b'}))
	add("lz4, offset 0", none, envelope(4, 0, []byte{8, 0, 0, 0, 0x20, 'a', 'b', 0, 0, 0x20, 'a', 'b'}))
	return out
}
