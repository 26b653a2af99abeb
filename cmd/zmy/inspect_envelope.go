package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// envelope shows an envelope and the message in it. recognised says how the format was recognised.
func (v *viewer) envelope(r io.Reader, recognised string) error {
	b, err := readAll(r)
	if err != nil {
		return err
	}
	v.say("envelope, %s%s", bytesOf(len(b)), inBrackets(recognised))
	v.header(b, "body")
	o, err := openOptions()
	if err != nil {
		return err
	}
	e, err := o.Open(b)
	if err != nil {
		if len(b) > head {
			v.raw(b[head:], head, "body")
		}
		return err
	}
	v.about(e)
	if err := v.schemaOf(e); err != nil {
		return err
	}
	what := "message"
	switch at := len(b) - len(e.Message); {
	case e.Compression != zmy.Uncompressed:
		what = fmt.Sprintf("message, decompressed from %s; offsets are those in it", bytesOf(len(b)-head))
	case v.f.format != "json":
		what = fmt.Sprintf("message at offset %d (%#x) of the file, from which offsets below count", at, at)
	}
	return v.message(e.Message, what)
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// header shows the 24 bytes with which envelopes and streams begin.
func (v *viewer) header(b []byte, body string) {
	if v.f.format != "hex" {
		return
	}
	if len(b) < head {
		v.raw(b, 0, "header")
		return
	}
	flags := wire.U16(b[4:])
	var names []string
	for bit, name := range []string{"CHECKSUM", "SCHEMA"} {
		if flags>>bit&1 != 0 {
			names = append(names, name)
		}
	}
	if c := zmy.Compression(flags >> 2 & 3); c != zmy.Uncompressed {
		names = append(names, c.String())
	}
	if flags&(1<<4) != 0 {
		names = append(names, "STREAM")
	}
	if flags>>5 != 0 {
		names = append(names, "unknown bits")
	}
	for _, p := range []struct {
		from, to int
		text     string
	}{
		{0, 4, fmt.Sprintf("magic %q, version %d", b[:3], b[3])},
		{4, 6, "flags: " + cmp.Or(strings.Join(names, ", "), "none")},
		{6, 8, "reserved"},
		{8, 16, fmt.Sprintf("fingerprint %016x", wire.U64(b[8:]))},
		{16, 20, fmt.Sprintf("%s of %d bytes", body, wire.U32(b[16:]))},
		{20, 24, fmt.Sprintf("checksum %08x", wire.U32(b[20:]))},
	} {
		v.hexLine(fmt.Sprintf("%06x", p.from), fmt.Sprintf("% x", b[p.from:p.to]), v.in(dim, p.text))
	}
}

// raw shows bytes without an explanation.
func (v *viewer) raw(b []byte, at int, what string) {
	if v.f.format != "hex" {
		return
	}
	limit := len(b)
	if !v.f.all {
		limit = min(limit, 64)
	}
	for i := 0; i < limit; i += rowBytes {
		line := ""
		if i == 0 {
			line = what + ", " + bytesOf(len(b))
		}
		v.hexLine(fmt.Sprintf("%06x", at+i), fmt.Sprintf("% x", b[i:min(i+rowBytes, limit)]), line, red)
	}
	if limit < len(b) {
		v.say("        … %s more (-all shows all)", bytesOf(len(b)-limit))
	}
}

// about shows the header information of an envelope or stream.
func (v *viewer) about(e zmy.Envelope) {
	var says []string
	if e.Checksum {
		says = append(says, "checksum right")
	} else {
		says = append(says, "no checksum")
	}
	if e.Compression != zmy.Uncompressed {
		says = append(says, "compressed by "+e.Compression.String())
	}
	if e.Schema != nil {
		says = append(says, "schema block of "+bytesOf(len(e.Schema)))
	} else {
		says = append(says, "no schema block")
	}
	v.say("%s", strings.Join(says, ", "))
}

// schemaOf takes the schema from an envelope or stream, unless the flags named one. It reports a
// fingerprint that differs from the schema's.
func (v *viewer) schemaOf(e zmy.Envelope) error {
	if v.s == nil && e.Schema != nil {
		s, err := schema.Parse(e.Schema)
		if err != nil {
			v.say("the schema block cannot be read: %s", visible(err.Error()))
			return nil
		}
		v.s = s
	}
	if v.s != nil && e.Fingerprint != 0 && e.Fingerprint != v.s.Fingerprint() {
		v.say("the writer's type has fingerprint %016x, this one %016x: another version, or another type", e.Fingerprint, v.s.Fingerprint())
	}
	return nil
}

// firstRecords is the number of records of a stream that are shown by default.
const firstRecords = 10

// stream shows the records of a stream.
func (v *viewer) stream(r *bufio.Reader, recognised string) error {
	v.say("stream%s", inBrackets(recognised))
	if first, _ := r.Peek(head); len(first) == head {
		v.header(first, "schema block")
	}
	o, err := openOptions()
	if err != nil {
		return err
	}
	tap := &chunkTap{r: r}
	in := o.NewReader(tap)
	e, err := in.About()
	if err != nil {
		return err
	}
	v.about(e)
	if err := v.schemaOf(e); err != nil {
		return err
	}
	var bad error
	total := 0
	for n := 0; ; n++ {
		tap.chunks = tap.chunks[:0]
		msg, err := in.ReadMessage()
		if err == io.EOF {
			total = n
			break
		}
		if err != nil {
			return errors.Join(bad, fmt.Errorf("record %d: %w", n, err))
		}
		if v.f.record >= 0 && n != v.f.record || v.f.record < 0 && n >= firstRecords && !v.f.all {
			continue
		}
		if err := v.message(msg, fmt.Sprintf("\nrecord %d, %s", n, tap.describe())); err != nil {
			bad = errors.Join(bad, fmt.Errorf("record %d: %w", n, err))
		}
		if n == v.f.record {
			return bad
		}
	}
	switch {
	case v.f.record >= total:
		return misused("-record %d: the stream has %d, counted from 0", v.f.record, total)
	case total > firstRecords && !v.f.all:
		v.say("\n%d records more (-all shows them, -record N one of them)", total-firstRecords)
	default:
		v.say("\nend of the stream, after %d", total)
	}
	return bad
}

// chunkTap records the chunks of a stream while a Reader reads the stream through it. A stream has
// 24 bytes of header and the schema block, then 8 bytes of head before each payload.
type chunkTap struct {
	r      io.Reader
	off    int
	need   int // bytes until the next chunk's head
	state  int // 0 before the end of the stream's header, 1 after it
	head   []byte
	chunks []chunkAt
}

type chunkAt struct {
	offset, size int
	compressed   bool
}

const chunkHead = 8

func (t *chunkTap) Read(b []byte) (int, error) {
	n, err := t.r.Read(b)
	for rest := b[:n]; len(rest) > 0; {
		if t.need > 0 {
			k := min(t.need, len(rest))
			t.need, t.off, rest = t.need-k, t.off+k, rest[k:]
			continue
		}
		size := chunkHead
		if t.state == 0 {
			size = head
		}
		k := min(size-len(t.head), len(rest))
		t.head, t.off, rest = append(t.head, rest[:k]...), t.off+k, rest[k:]
		if len(t.head) < size {
			continue
		}
		if t.state == 0 {
			t.need, t.state = int(wire.U32(t.head[16:])), 1
		} else {
			u := wire.U32(t.head)
			t.need = int(u & 0xffffff)
			t.chunks = append(t.chunks, chunkAt{t.off - chunkHead, t.need, u>>24&4 != 0})
		}
		t.head = t.head[:0]
	}
	return n, err
}

// describe returns the chunks, position and size of the last record.
func (t *chunkTap) describe() string {
	if len(t.chunks) == 0 {
		return "without a chunk"
	}
	size, compressed := 0, ""
	for _, c := range t.chunks {
		size += c.size
		if c.compressed {
			compressed = ", compressed"
		}
	}
	n := "1 chunk"
	if len(t.chunks) > 1 {
		n = fmt.Sprintf("%d chunks", len(t.chunks))
	}
	return fmt.Sprintf("%s at offset %d (%#x) of the stream, %s%s", n, t.chunks[0].offset, t.chunks[0].offset, bytesOf(size), compressed)
}
