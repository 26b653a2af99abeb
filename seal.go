package zmy

import (
	"reflect"
	"slices"
	"sync"

	"github.com/zmylab/zmy/wire"
)

// SealOptions limits and directs what Seal and streams make. The zero value
// makes envelopes with a checksum, neither compressed nor with a schema.
type SealOptions struct {
	// Marshal limits the message: MaxWire the envelope as a whole, MaxRaw the
	// message and the schema in it before compression.
	Marshal MarshalOptions
	// Compressor compresses bodies that get smaller by it; nil for none.
	Compressor Compressor
	// Fingerprint of the type; 0 takes that of values which are a Fingerprinter.
	Fingerprint uint64
	// Schema is a schema block to travel with the message; nil for none.
	Schema []byte
	// Describe takes the schema block of values which are a Describer, where
	// Schema is nil. Other values are an error: instances of generic types have
	// functions in place of methods, as in Schema: []byte(ZMYSchemaPageItem()).
	Describe bool
	// NoChecksum leaves the checksum out, for channels that have their own.
	NoChecksum bool
	// ChunkSize is how many bytes of a record a chunk of a stream holds before
	// compression; 0 is DefaultChunkSize.
	ChunkSize int
}

// Seal returns v as a message in an envelope.
func Seal(v any) ([]byte, error) { return SealOptions{}.Seal(v) }

// Seal is the function of that name under these options.
func (o SealOptions) Seal(v any) ([]byte, error) { return o.Append(nil, v) }

// Append appends v as a message in an envelope to dst. On error dst is
// unchanged up to its length, and nothing is appended.
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

// AppendMessage appends an envelope around msg, a message that Marshal has made.
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

// compressed appends room for a header, then schema and message in compressed
// form, if there is a compressor and it makes them shorter.
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

// of are the options with what the type of v says of itself.
func (o SealOptions) of(v any) (SealOptions, error) {
	w := wayOf(v)
	if o.Fingerprint == 0 && w.fingerprint {
		o.Fingerprint = as[Fingerprinter](v).ZMYFingerprint()
	}
	if o.Describe && o.Schema == nil {
		// Generated code has both methods. To ask by name for this one too would keep
		// schema blocks in programs that never seal.
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

// inner are the options for the message itself, whose size is limited by MaxRaw
// where something may make it smaller before it meets MaxWire.
func (o SealOptions) inner() MarshalOptions {
	m := o.Marshal
	if o.Compressor != nil {
		m.MaxRaw = o.maxRaw()
		m.MaxWire = m.MaxRaw
	}
	return m
}

// rawBuffers hold messages on their way into envelopes and out of them.
var rawBuffers = sync.Pool{New: func() any { return new([]byte) }}

func putRaw(b *[]byte) {
	if cap(*b) <= maxScratch {
		rawBuffers.Put(b)
	}
}
