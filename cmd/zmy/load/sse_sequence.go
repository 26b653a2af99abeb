package load

import "slices"

// arrival is how an event came.
type arrival uint8

const (
	inOrder arrival = iota
	outOfOrder
	duplicate
)

// sequence tells what of the numbers from its first on has come to a connection: exactly, in a few bytes
// while nothing is missing.
type sequence struct {
	next    int    // behind the largest that has come
	missing []span // of those before next, in order
}

// span is the numbers from ≤ n < to.
type span struct{ from, to int }

// start begins anew with the number from.
func (q *sequence) start(from int) { *q = sequence{next: from} }

// add counts number n.
func (q *sequence) add(n int) arrival {
	if n >= q.next {
		if n > q.next {
			q.missing = append(q.missing, span{q.next, n})
		}
		q.next = n + 1
		return inOrder
	}
	i, found := slices.BinarySearchFunc(q.missing, n, func(s span, n int) int {
		switch {
		case s.to <= n:
			return -1
		case s.from > n:
			return 1
		}
		return 0
	})
	if !found {
		return duplicate
	}
	s := q.missing[i]
	switch rest := (span{n + 1, s.to}); {
	case n == s.from && rest.from == s.to:
		q.missing = slices.Delete(q.missing, i, i+1)
	case n == s.from:
		q.missing[i] = rest
	case rest.from == s.to:
		q.missing[i].to = n
	default:
		q.missing[i].to = n
		q.missing = slices.Insert(q.missing, i+1, rest)
	}
	return outOfOrder
}

// lost is how many numbers before end have not come.
func (q *sequence) lost(end int) (n int) {
	for _, s := range q.missing {
		n += max(min(s.to, end)-s.from, 0)
	}
	return n + max(end-q.next, 0)
}
