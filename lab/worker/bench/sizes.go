package bench

import (
	"bytes"
	"compress/gzip"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// Sizes measures the messages of the first encoder, raw and compressed one by one with gzip at its
// default level. If dump is not empty, it writes the messages to that file, so that the coordinator
// can try compressors which the standard library lacks.
func (b *Bench[N]) Sizes(dump string) (*worker.Sizes, error) {
	wire, err := b.Encoded()
	if err != nil {
		return nil, err
	}
	if dump != "" {
		all := make([]worker.Message, len(wire))
		for i, w := range wire {
			all[i] = worker.Message{Mode: "fresh", Value: i, Data: w}
		}
		if err := worker.WriteMessages(dump, all); err != nil {
			return nil, err
		}
	}
	raw, zip, took := make([]float64, len(wire)), make([]float64, len(wire)), make([]float64, len(wire))
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	s := &worker.Sizes{Mean: Mean(wire)}
	for i, w := range wire {
		t0 := time.Now()
		buf.Reset()
		zw.Reset(&buf)
		if _, err := zw.Write(w); err != nil {
			return nil, err
		}
		if err := zw.Close(); err != nil {
			return nil, err
		}
		took[i] = float64(time.Since(t0).Nanoseconds())
		raw[i], zip[i] = float64(len(w)), float64(buf.Len())
		s.Total += int64(len(w))
		s.MeanGzip += zip[i] / float64(len(wire))
		s.Max = max(s.Max, raw[i])
	}
	s.Raw, s.P95 = worker.Quantile(raw, 0.5), worker.Quantile(raw, 0.95)
	s.Gzip, s.GzipNs = worker.Quantile(zip, 0.5), worker.Quantile(took, 0.5)
	return s, nil
}
