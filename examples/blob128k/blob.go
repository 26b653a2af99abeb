// Package blob128k is the subject "a large payload behind a small header": an
// image, a chunk of a file, a sealed message. The payload is random, so nothing compresses it.
package blob128k

import (
	"hash/crc32"
	"math/rand/v2"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Blob
//go:generate zmy gen -type Blob

// PayloadSize is the length of Payload in every sampled Blob: 128 KiB.
const PayloadSize = 128 << 10

// Blob is a payload with its header.
type Blob struct {
	Header  Header `json:"header" zmy:"0"`
	Payload []byte `json:"payload" zmy:"1"`
}

// Header describes a payload.
type Header struct {
	ID          string    `json:"id" zmy:"0"`
	ContentType string    `json:"content_type" zmy:"1"`
	Checksum    uint32    `json:"checksum" zmy:"2"` // CRC-32C of the payload
	CreatedAt   time.Time `json:"created_at" zmy:"3"`
}

// SampleBlob draws a blob of [PayloadSize] random bytes.
func SampleBlob(r *rand.Rand) Blob {
	at := sample.Time(r)
	payload := sample.Bytes(r, PayloadSize)
	return Blob{
		Header: Header{
			ID:          sample.UUID(r, at),
			ContentType: sample.Pick(r, []string{"image/webp", "application/zip", "video/mp4"}),
			Checksum:    crc32.Checksum(payload, castagnoli),
			CreatedAt:   at,
		},
		Payload: payload,
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
