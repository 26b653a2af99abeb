package zmy

import (
	"reflect"
	"slices"
	"sync"

	"github.com/zmylab/zmy/wire"
)

// SealOptions limits and directs what Seal and writers of streams make. The zero value makes
// envelopes that have a checksum, no compression and no schema.
type SealOptions struct {
	// Marshal limits the sizes. MaxWire limits the whole envelope. MaxRaw limits the message and
	// its schema before compression.
	Marshal MarshalOptions
	// Compressor compresses bodies if that makes them smaller; nil for none.
	Compressor Compressor
	// Fingerprint is the fingerprint of the type. If it is 0 and the value is a Fingerprinter, its
	// method returns the fingerprint.
	Fingerprint uint64
	// Schema is the schema block that travels with the message; nil for none.
	Schema []byte
	// Describe sends the value's own schema block, unless Schema is set. The value must be a
	// Describer, else sealing fails. Instances of generic types are no Describers, because they
	// have functions in place of methods. For Page[Item] set Schema to []byte(ZMYSchemaPageItem()).
	Describe bool
	// NoChecksum omits the checksum, for channels that have their own.
	NoChecksum bool
	// ChunkSize is the largest number of bytes of a record in one chunk of a stream, before
	// compression; 0 is DefaultChunkSize.
	ChunkSize int
}

// Seal returns an envelope with v as its message.
func Seal(v any) ([]byte, error) { return SealOptions{}.Seal(v) }

// Seal is like the function Seal, with these options.
func (o SealOptions) Seal(v any) ([]byte, error) { return o.Append(nil, v) }

// Append appends an envelope with v as its message to dst. On error it returns dst unchanged.
func (o SealOptions) Append(dst []byte, v any) ([]byte, error) {
	buf := rawBuffers.Get().(*[]byte)
	defer putRaw(buf)
	msg, err := o.inner().Append((*buf)[:0], v)
	if err != nil {
		return dst, err
	}
	*buf = msg
	if o, err = o.of(v); err != nil {
		return dst, err
	}
	return o.AppendMessage(dst, msg)
}

// AppendMessage appends an envelope around msg, a message from Marshal. On error it returns dst
// unchanged.
func (o SealOptions) AppendMessage(dst, msg []byte) ([]byte, error) {
	s := len(dst)
	h := header{flags: o.flags(), fingerprint: o.Fingerprint}
	payload := len(msg)
	if o.Schema != nil {
		payload += 4 + len(o.Schema)
	}
	if maxRaw := o.maxRaw(); payload > maxRaw {
		return dst, failSeal(ErrTooLarge, "%d bytes before compression, MaxRaw is %d", payload, maxRaw)
	}
	// MaxRaw limits what a reader has to hold, MaxWire what is sent. So MaxRaw is checked before
	// compression and MaxWire after it.
	b, compressed, err := o.compressed(dst, msg)
	if err != nil {
		return dst, err
	}
	if compressed {
		h.flags |= uint16(o.Compressor.ID()) << 2
	} else {
		b = wire.Extend(slices.Grow(dst, EnvelopeOverhead+payload), EnvelopeOverhead)
		b = append(o.appendSchema(b), msg...)
	}
	if maxWire := o.maxWire(); len(b)-s > maxWire {
		return dst, failSeal(ErrTooLarge, "%d bytes, MaxWire is %d", len(b)-s, maxWire)
	}
	h.bodyLen = len(b) - s - EnvelopeOverhead
	h.put(b[s:])
	return b, nil
}

// compressed appends room for a header, then the schema and the message in compressed form. It
// reports false if there is no compressor, or if compression does not make them shorter.
func (o SealOptions) compressed(b, msg []byte) ([]byte, bool, error) {
	if o.Compressor == nil {
		return b, false, nil
	}
	b = wire.Extend(b, EnvelopeOverhead)
	payload := msg
	if o.Schema != nil {
		payload = append(o.appendSchema(make([]byte, 0, 4+len(o.Schema)+len(msg))), msg...)
	}
	b, ok, err := squeeze(o.Compressor, b, payload)
	if err != nil {
		return b, false, failSeal(err, "")
	}
	return b, ok, nil
}

func (o SealOptions) appendSchema(b []byte) []byte {
	if o.Schema == nil {
		return b
	}
	s := len(b)
	b = wire.Extend(b, 4)
	wire.PutU32(b[s:], uint32(len(o.Schema)))
	return append(b, o.Schema...)
}

func (o SealOptions) flags() (f uint16) {
	if !o.NoChecksum {
		f |= flagChecksum
	}
	if o.Schema != nil {
		f |= flagSchema
	}
	return f
}

// of returns the options for v. If o has no fingerprint, it adds that of v's type. If Describe is
// set and Schema is not, it adds the schema block of v's type.
func (o SealOptions) of(v any) (SealOptions, error) {
	w := wayOf(v)
	if o.Fingerprint == 0 && w.fingerprint {
		o.Fingerprint = as[Fingerprinter](v).ZMYFingerprint()
	}
	if o.Describe && o.Schema == nil {
		// Generated code has both methods, so only Fingerprinter is looked up with Declares. Naming
		// ZMYSchema there too would make the linker keep schema blocks in programs that never seal.
		var d Describer
		if w.fingerprint {
			d, _ = as[Fingerprinter](v).(Describer)
		}
		if d == nil {
			return o, failSeal(ErrNoGeneratedCode, "%T has no schema block; %s", v, describeHint(reflect.TypeOf(v)))
		}
		block := d.ZMYSchema()
		if block == "" {
			return o, failSeal(ErrStale, "%T has no schema block", v)
		}
		o.Schema = []byte(block)
	}
	return o, nil
}

func (o SealOptions) maxWire() int { return limit(o.Marshal.MaxWire, DefaultMaxWire) }
func (o SealOptions) maxRaw() int {
	return limit(o.Marshal.MaxRaw, max(DefaultMaxRaw, o.maxWire()))
}

// inner returns the options for marshalling the message itself. With a compressor the message may
// exceed MaxWire: only the compressed envelope has to obey it.
func (o SealOptions) inner() MarshalOptions {
	m := o.Marshal
	if o.Compressor != nil {
		m.MaxRaw = o.maxRaw()
		m.MaxWire = m.MaxRaw
	}
	return m
}

// rawBuffers holds buffers for the messages that are put into envelopes or taken out of them.
var rawBuffers = sync.Pool{New: func() any { return new([]byte) }}

func putRaw(b *[]byte) {
	if cap(*b) <= maxScratch {
		rawBuffers.Put(b)
	}
}
