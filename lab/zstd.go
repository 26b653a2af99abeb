package lab

import (
	"encoding/binary"
	"errors"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/zmylab/zmy/lab/worker"
)

// zstdMedian returns the median size in bytes of the messages in a worker's dump, each compressed
// alone at zstd's default level.
func zstdMedian(name string) (float64, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	defer enc.Close()
	var sizes []float64
	var buf []byte
	for len(data) > 0 {
		n, used := binary.Uvarint(data)
		if used <= 0 || n > uint64(len(data)-used) {
			return 0, errors.New("the worker's dump of encoded values is cut short")
		}
		frame := data[used : used+int(n)]
		buf = enc.EncodeAll(frame, buf[:0])
		sizes, data = append(sizes, float64(len(buf))), data[used+int(n):]
	}
	if len(sizes) == 0 {
		return 0, nil
	}
	return worker.Quantile(sizes, 0.5), nil
}
