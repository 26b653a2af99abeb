package msg

import "math"

// Digest is a checksum of the fields of a message, in their order. Every receiver computes it and
// so reads every field. So a format that decodes lazily also pays for reading the fields, and a
// message that was changed on the way is detected. Of a long byte string, some 128 evenly spread
// bytes are read.
type Digest uint64

// Num adds an integer.
func (d *Digest) Num(v uint64) { *d = (*d ^ Digest(v)) * 0x9e3779b97f4a7c15 }

// Float adds a floating-point number.
func (d *Digest) Float(v float64) { d.Num(math.Float64bits(v)) }

// Blob adds a byte string.
func (d *Digest) Blob(b []byte) { blob(d, b) }

// Text adds a string.
func (d *Digest) Text(s string) { blob(d, s) }

func blob[T string | []byte](d *Digest, b T) {
	sum := uint64(len(b))
	for i := 0; i < len(b); i += 1 + len(b)/128 {
		sum = sum<<7 | sum>>57
		sum ^= uint64(b[i])
	}
	if n := len(b); n > 0 {
		sum ^= uint64(b[n-1]) << 32
	}
	d.Num(sum)
}

// Head has what a message says of itself, and the digest of its content.
type Head struct {
	Variant, Size uint32
	Blob          bool
	Count         uint64
	Sum           Digest
}

// Head reads all fields of the message. Count is not part of the digest.
func (m *Message) Head() Head {
	h := Head{Variant: m.Variant, Size: m.Size, Blob: m.Blob, Count: m.Count}
	for i := range m.Items {
		it := &m.Items[i]
		h.Sum.Text(it.Sku)
		h.Sum.Float(it.Price)
		h.Sum.Num(uint64(it.Qty))
		h.Sum.Blob(it.Attrs)
	}
	h.Sum.Blob(m.Body)
	return h
}
