package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// NOTE: batches go round. read fills a free batch from the source and hands it to order and to work.
// A worker converts it. run takes batches in their order, waits until each is converted, writes it,
// and sets it free again. There are two more batches than workers: one that is being filled and one
// that is being written.

// pipe takes records from a source, converts them on all processors, and writes them in their
// order. It holds only a few batches at a time.
type pipe struct {
	flags   *convertFlags
	src     source
	step    func(dst, rec []byte) ([]byte, error)
	dst     *sink
	out     *output
	stderr  io.Writer
	records atomic.Int64 // written
	skipped int
}

// batch is a sequence of records that one worker converts.
type batch struct {
	in, out []byte
	records []record
	err     error // error of the source after these records
	done    chan struct{}
}

// record is one record of a batch. in and out are the ends of its bytes in the batch's in and out.
type record struct {
	at      place
	in, out int
	err     error
}

const (
	batchBytes   = 256 << 10
	batchRecords = 512
)

// fatal is an error after which the next record would fail too, so it is never skipped.
type fatal struct{ error }

// run converts everything. If ctx ends, it returns ctx's error at once, even while the source waits
// for input.
func (p *pipe) run(ctx context.Context) error {
	workers := runtime.GOMAXPROCS(0)
	work, order := make(chan *batch), make(chan *batch, workers)
	free := make(chan *batch, workers+2)
	for range workers + 2 {
		free <- &batch{}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go p.read(ctx, free, work, order)
	for range workers {
		go func() {
			for b := range work {
				b.convert(p.step)
				close(b.done)
			}
		}()
	}
	number := 0
	for {
		var b *batch
		select {
		case b = <-order:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-b.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := p.write(b, &number); err != nil {
			return err
		}
		if b.err == io.EOF {
			return p.dst.close()
		}
		if b.err != nil {
			return fmt.Errorf("record %d: %w", number, b.err)
		}
		if len(order) == 0 { // a reader may be waiting for these records
			if err := p.out.Flush(); err != nil {
				return err
			}
		}
		free <- b
	}
}

// read fills batches and hands them to the workers.
func (p *pipe) read(ctx context.Context, free, work, order chan *batch) {
	defer close(work)
	for {
		var b *batch
		select {
		case b = <-free:
		case <-ctx.Done():
			return
		}
		b.fill(p.src)
		select {
		case order <- b:
		case <-ctx.Done():
			return
		}
		select {
		case work <- b:
		case <-ctx.Done():
			return
		}
		if b.err != nil {
			return
		}
	}
}

// fill reads records until the batch is full or the source is idle.
func (b *batch) fill(s source) {
	const keep = 4 * batchBytes // bytes of buffer to keep for the next use
	if cap(b.in) > keep || cap(b.out) > keep {
		b.in, b.out = nil, nil
	}
	b.in, b.out, b.records, b.err, b.done = b.in[:0], b.out[:0], b.records[:0], nil, make(chan struct{})
	for len(b.in) < batchBytes && len(b.records) < batchRecords {
		in, at, err := s.next(b.in)
		if err != nil {
			b.err = err
			return
		}
		b.in = in
		b.records = append(b.records, record{at: at, in: len(in)})
		if s.idle() {
			return
		}
	}
}

func (b *batch) convert(step func(dst, rec []byte) ([]byte, error)) {
	from := 0
	for i := range b.records {
		r := &b.records[i]
		var out []byte
		if out, r.err = step(b.out, b.in[from:r.in]); r.err == nil {
			b.out = out
		}
		from, r.out = r.in, len(b.out)
	}
}

// write writes the records of a batch. *number is the number of the batch's first record; write
// advances it to the next batch's.
func (p *pipe) write(b *batch, number *int) error {
	from := 0
	for i := range b.records {
		r := &b.records[i]
		err := r.err
		if err == nil {
			err = p.dst.write(b.out[from:r.out])
		}
		from = r.out
		*number++
		var stop fatal
		switch {
		case err == nil:
			p.records.Add(1)
			continue
		case errors.As(err, &stop):
			return err
		}
		err = fmt.Errorf("record %d (%s): %w", *number-1, r.at, err)
		if r.err == nil || p.flags.onError == "stop" { // an output that failed will fail again
			return err
		}
		if p.skipped++; p.skipped <= maxSkippedShown {
			fmt.Fprintln(p.stderr, "zmy convert: skipped", visible(err.Error()))
		}
		if p.skipped == maxSkippedShown {
			fmt.Fprintln(p.stderr, "zmy convert: more that are skipped are only counted")
		}
	}
	return nil
}

const maxSkippedShown = 20

// showProgress shows a line of status on a terminal, and nothing elsewhere, until stop is called.
func showProgress(w io.Writer, in *countingReader, size int64, records *atomic.Int64) (stop func()) {
	s := newScreen(w)
	if !s.live {
		return func() {}
	}
	start, tick, ended := time.Now(), time.NewTicker(200*time.Millisecond), make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		for {
			select {
			case <-ended:
				s.clear()
				return
			case <-tick.C:
				s.status(progressLine(in.n.Load(), size, records.Load(), time.Since(start)))
			}
		}
	})
	return func() {
		tick.Stop()
		close(ended)
		shown.Wait()
	}
}

// progressLine returns how far the conversion is, its speed, and the time left.
func progressLine(n, size, records int64, spent time.Duration) string {
	rate := float64(n) / max(spent.Seconds(), 0.001)
	line := fmt.Sprintf("%s · %d records · %s/s", bytesOf(int(n)), records, bytesOf(int(rate)))
	if size > 0 && n > 0 {
		left := time.Duration(float64(size-n) / rate * float64(time.Second)).Round(time.Second)
		line = fmt.Sprintf("%3.0f%% of %s · %d records · %s/s · %s left", 100*float64(n)/float64(size), bytesOf(int(size)), records,
			bytesOf(int(rate)), max(left, 0))
	}
	return line
}
