package load

import (
	"encoding/binary"
	"io"

	"github.com/zmylab/zmy/adapters/grpcx/load/msg"
)

// rawHead is the length of the fields before the body of a raw message: variant, size and count,
// all little-endian.
const rawHead = 16

func appendRaw(b []byte, m *msg.Message) []byte {
	b = binary.LittleEndian.AppendUint32(b, m.Variant)
	b = binary.LittleEndian.AppendUint32(b, m.Size)
	b = binary.LittleEndian.AppendUint64(b, m.Count)
	return append(b, m.Body...)
}

func readRaw(b []byte) (msg.Head, error) {
	if len(b) < rawHead {
		return msg.Head{}, io.ErrUnexpectedEOF
	}
	h := msg.Head{Blob: true, Variant: binary.LittleEndian.Uint32(b), Size: binary.LittleEndian.Uint32(b[4:]),
		Count: binary.LittleEndian.Uint64(b[8:])}
	h.Sum.Blob(b[rawHead:])
	return h, nil
}
