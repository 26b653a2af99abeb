package zmyvector

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/wire"
)

// frames has the model's readers of envelopes and streams.
var frames = map[string]func([]byte, zmymodel.Limits) Outcome{
	"envelope": func(b []byte, l zmymodel.Limits) Outcome { return modelFrame(b, l, false) },
	"stream":   func(b []byte, l zmymodel.Limits) Outcome { return modelFrame(b, l, true) },
}

func modelFrame(b []byte, l zmymodel.Limits, stream bool) Outcome {
	f, fault := zmymodel.Open(b, l, stream)
	if fault != nil {
		return Outcome{Code: fault.Code}
	}
	return Outcome{Code: "ok", Fields: func() string { return spellFrame(f) }, Reencode: seal(f, stream)}
}

// spellFrame returns the content of a frame as JSON in the form of the vectors.
func spellFrame(f zmymodel.Frame) string {
	out := map[string]any{"fingerprint": strconv.FormatUint(f.Fingerprint, 10), "checksum": f.Checksum}
	if f.Schema != nil {
		out["schema"] = hex.EncodeToString(f.Schema)
	}
	records := make([]string, len(f.Records))
	for i, r := range f.Records {
		records[i] = hex.EncodeToString(r)
	}
	out["records"] = records
	b, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// seal writes a frame again: without compression, and each record in one chunk.
func seal(f zmymodel.Frame, stream bool) []byte {
	o := zmy.SealOptions{
		Fingerprint: f.Fingerprint, Schema: f.Schema, NoChecksum: !f.Checksum,
		ChunkSize: 1 << 23, Marshal: zmy.MarshalOptions{MaxWire: 1 << 24, MaxRaw: 1 << 24},
	}
	if !stream {
		b, err := o.AppendMessage(nil, f.Records[0])
		if err != nil {
			panic(err)
		}
		return b
	}
	var b bytes.Buffer
	w := o.NewWriter(&b)
	for _, r := range f.Records {
		if err := w.WriteMessage(r); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Stored are Compressors that call the model's decompressors, since package zmy contains none. They
// cannot compress, and read only Zstandard frames without compressed blocks.
var Stored = []zmy.Compressor{stored{zmy.LZ4, zmymodel.LZ4}, stored{zmy.Zstd, zmymodel.ZstdStored}}

type stored struct {
	id      zmy.Compression
	inflate func(b []byte, limit int) ([]byte, bool)
}

func (s stored) ID() zmy.Compression { return s.id }

func (s stored) Compress(dst, src []byte) ([]byte, error) {
	return nil, errors.New("vectors are not compressed anew")
}

func (s stored) Decompress(dst, src []byte, rawLen int) ([]byte, error) {
	out, ok := s.inflate(src, rawLen)
	if !ok {
		return nil, fmt.Errorf("not %s", s.id)
	}
	return append(dst, out...), nil
}

// goFrame reads an envelope or a stream with package zmy.
func goFrame(b []byte, l zmymodel.Limits, stream bool, compressors []zmy.Compressor) (Outcome, error) {
	o := zmy.OpenOptions{Unmarshal: Options(l), Compressors: compressors}
	f, err := openFrame(o, b, stream)
	if err != nil {
		code, err := frameCode(err)
		return Outcome{Code: code}, err
	}
	return Outcome{Code: "ok", Fields: func() string { return spellFrame(f) }, Reencode: seal(f, stream)}, nil
}

func openFrame(o zmy.OpenOptions, b []byte, stream bool) (f zmymodel.Frame, err error) {
	if !stream {
		e, err := o.Open(b)
		f = zmymodel.Frame{Fingerprint: e.Fingerprint, Checksum: e.Checksum, Schema: e.Schema, Records: [][]byte{e.Message}}
		return f, err
	}
	r := o.NewReader(bytes.NewReader(b))
	e, err := r.About()
	if err != nil {
		return f, err
	}
	f = zmymodel.Frame{Fingerprint: e.Fingerprint, Checksum: e.Checksum, Schema: e.Schema}
	for {
		msg, err := r.ReadMessage()
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			return f, err
		}
		f.Records = append(f.Records, bytes.Clone(msg))
	}
}

func frameCode(err error) (string, error) {
	for code, name := range map[error]string{
		zmy.ErrMagic: "MAGIC", zmy.ErrChecksum: "CHECKSUM", zmy.ErrCompression: "COMPRESSION", zmy.ErrSequence: "SEQUENCE",
	} {
		if errors.Is(err, code) {
			return name, nil
		}
	}
	var c wire.Code
	if errors.As(err, &c) {
		return c.Name(), nil
	}
	return "", err
}
