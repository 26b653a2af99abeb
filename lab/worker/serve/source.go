package serve

import (
	"fmt"
	"path/filepath"

	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
)

// refusedShown bounds the refusals that are sent to the coordinator.
const refusedShown = 20

// makeValues makes values from captured documents or a fit of them, with the package's own sample
// function, or from the names and types of fields.
func (b *binding[T, N]) makeValues(q *worker.Request) ([]T, *worker.Values, error) {
	opt := values.Options{Seed: q.Seed, N: q.N, MaxBytes: q.Cap, Samplers: b.subject.Samplers, Constants: b.subject.Constants}
	switch {
	case q.Sample != "":
		vals, from, err := sampled[T](q.Sample, opt)
		if err != nil {
			return nil, nil, fmt.Errorf("-sample %s: %w", filepath.Base(q.Sample), err)
		}
		from.Refused = from.Refused[:min(len(from.Refused), refusedShown)]
		return vals, from, nil
	case b.subject.Sample != nil:
		return values.Sampled(opt, b.subject.Sample), &worker.Values{Source: "func " + b.subject.SampleName}, nil
	}
	vals, err := values.Values[T](opt)
	from := &worker.Values{Source: "field names and types"}
	if n := len(opt.Constants); n > 0 {
		from.Source += fmt.Sprintf(", and declared constants of %d type%s", n, map[bool]string{false: "s"}[n == 1])
	}
	if names := values.Used[T](opt.Samplers); len(names) > 0 {
		from.Source += fmt.Sprintf(", and %d sample functions for types of fields", len(names))
	}
	return vals, from, err
}

// sampled takes values from captured documents, in order and repeated as needed, or draws them from
// a saved fit.
func sampled[T any](name string, opt values.Options) ([]T, *worker.Values, error) {
	fit, ok, err := values.ReadFit(name)
	if err != nil {
		return nil, nil, err
	}
	if ok {
		vals, refused, err := values.FromFit[T](fit, opt)
		return vals, &worker.Values{Source: "a fit of " + plural(fit.Documents) + " of " + fit.Source, Documents: fit.Documents,
			Refused: refused}, err
	}
	s, err := values.FromDocuments[T](name, opt.N)
	if err != nil {
		return nil, nil, err
	}
	vals := values.Fill(opt, func(i uint64) T { return s.Values[i%uint64(len(s.Values))] })
	source := fmt.Sprintf("file %s: %s", filepath.Base(name), counted(len(s.Values), s.Documents, len(vals)))
	return vals, &worker.Values{Source: source, Documents: s.Documents, Refused: s.Refused, Unknown: s.Unknown}, nil
}

// counted says how many of the documents became values.
func counted(used, documents, values int) string {
	switch {
	case used < documents && used == values:
		return fmt.Sprintf("the first %d of %d documents", used, documents)
	case used == 1 && values > 1:
		return "1 document, repeated"
	case used < values:
		return plural(used) + ", in order and repeated"
	}
	return plural(used)
}

func plural(documents int) string {
	if documents == 1 {
		return "1 document"
	}
	return fmt.Sprintf("%d documents", documents)
}
