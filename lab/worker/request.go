package worker

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A request goes over the pipe as one line of words separated by tabs, with quoted strings. It is
// read without encoding/json, since encoding/json is a contender too, and its first call is to be
// timed.

// Line returns the request as a line.
func (q *Request) Line() []byte {
	return fmt.Appendf(nil, "%q\t%d\t%d\t%d\t%d\t%q\t%q\t%q\t%q\t%d\t%d\t%d\t%t\t%t\t%q\t%d\t%q\t%q\t%d\n",
		q.Cmd, q.ID, q.Seed, q.N, q.Cap, q.Sample, q.Dump, q.Op, q.Mode, int64(q.Target), q.Block, q.From, q.First, q.Warm, q.Input,
		q.Grow, q.Args, places(q.Skip), q.Looks)
}

// ParseRequest reads a line of Request.Line.
func ParseRequest(line []byte) (*Request, error) {
	words := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
	if len(words) != 19 {
		return nil, fmt.Errorf("%d words instead of 19", len(words))
	}
	q, err := new(Request), error(nil)
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	text := func(i int) string {
		s, e := strconv.Unquote(words[i])
		keep(e)
		return s
	}
	number := func(i int) int64 {
		n, e := strconv.ParseInt(words[i], 10, 64)
		keep(e)
		return n
	}
	q.Cmd, q.Sample, q.Dump, q.Op, q.Mode = text(0), text(5), text(6), text(7), text(8)
	q.ID, q.N, q.Cap, q.Target = int(number(1)), int(number(3)), number(4), time.Duration(number(9))
	q.Block, q.From = int(number(10)), int(number(11))
	seed, e := strconv.ParseUint(words[2], 10, 64)
	keep(e)
	flag := func(i int) bool {
		b, e := strconv.ParseBool(words[i])
		keep(e)
		return b
	}
	q.Seed, q.First, q.Warm, q.Input = seed, flag(12), flag(13), text(14)
	q.Grow, q.Args, q.Looks = number(15), text(16), int(number(18))
	for word := range strings.FieldsSeq(text(17)) {
		n, e := strconv.Atoi(word)
		keep(e)
		q.Skip = append(q.Skip, n)
	}
	return q, err
}

// places spells numbers with blanks between them.
func places(n []int) string {
	return strings.Trim(fmt.Sprint(n), "[]")
}
