package lab

import (
	"fmt"

	"github.com/klauspost/compress/zstd"

	"github.com/zmylab/zmy/lab/worker"
)

// zstdMedian returns the median size in bytes of the messages in a worker's dump, each compressed
// alone at zstd's default level.
func zstdMedian(name string) (float64, error) {
	messages, err := worker.ReadMessages(name)
	if err != nil {
		return 0, fmt.Errorf("the worker's dump of encoded values: %w", err)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	defer enc.Close()
	var sizes []float64
	var buf []byte
	for _, m := range messages {
		buf = enc.EncodeAll(m.Data, buf[:0])
		sizes = append(sizes, float64(len(buf)))
	}
	if len(sizes) == 0 {
		return 0, nil
	}
	return worker.Quantile(sizes, 0.5), nil
}
