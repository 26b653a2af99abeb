package jsonwire

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/grammar"
)

var (
	mutants     = flag.Int("mutants", 100_000, "how many inputs TestMutants makes")
	mutantsSeed = flag.Uint64("mutants.seed", 1, "what they are drawn from")
)

// TestMutants holds what the fuzz tests hold: every kernel against its oracle, on
// random values and damaged texts. Without the instrumentation of a fuzzer it makes
// many times as many comparisons in the same time.
func TestMutants(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	for p := range procs {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*mutantsSeed, uint64(p)))
			for range (*mutants + procs - 1) / procs {
				mutantChecks[r.IntN(len(mutantChecks))](t, r)
			}
		})
	}
}

// mutantChecks draw an input and compare.
var mutantChecks = []func(*testing.T, *rand.Rand){
	func(t *testing.T, r *rand.Rand) { checkFloat64(t, randomFloat(r)) },
	func(t *testing.T, r *rand.Rand) {
		if f := math.Float32frombits(r.Uint32()); f-f == 0 {
			checkFloat32(t, f)
		}
	},
	func(t *testing.T, r *rand.Rand) {
		checkParseFloat(t, damage(r, strconv.FormatFloat(randomFloat(r), "eg"[r.IntN(2)], r.IntN(25)-1, 64), "0123456789.eE+-"))
	},
	func(t *testing.T, r *rand.Rand) { checkInteger(t, r.Uint64()>>r.IntN(64)) },
	func(t *testing.T, r *rand.Rand) {
		parseInts(t, damage(r, strconv.FormatInt(int64(r.Uint64()>>r.IntN(64)), 10), "0123456789.e-"))
	},
	func(t *testing.T, r *rand.Rand) {
		checkQuote(t, damage(r, randomText(r, pieces), "\"\\<>&\n\x00\xe2\x80\xa8\xff"))
	},
	func(t *testing.T, r *rand.Rand) {
		checkUnescape(t, `"`+damage(r, randomText(r, sources), "\"\\u09dD8cnx\n\x00\xe2\xff")+`"`)
	},
	func(t *testing.T, r *rand.Rand) {
		checkValid(t, damage(r, randomDocument(r, 3), "{}[]\",: \n0.e-tfn\\"))
	},
	func(t *testing.T, r *rand.Rand) {
		checkCompact(t, damage(r, randomDocument(r, 2), "{}[]\",: \n<&\xe2\xff"))
	},
	func(t *testing.T, r *rand.Rand) {
		tm := randomTime(r)
		checkTime(t, tm, tm.Location() == time.UTC)
	},
	func(t *testing.T, r *rand.Rand) {
		b, err := randomTime(r).MarshalJSON()
		if err != nil {
			return
		}
		checkParseTime(t, `"`+damage(r, string(b[1:len(b)-1]), "0123456789-:TZ.+")+`"`)
	},
	func(t *testing.T, r *rand.Rand) {
		checkUTF8End(t, damage(r, randomText(r, pieces), "\x7f\x80\xc2\xe0\xed\xf0\xf4"))
	},
}

// damage changes, drops, doubles or inserts a byte of s at up to two places; most
// new bytes are of those given.
func damage(r *rand.Rand, s, with string) string {
	b := []byte(s)
	for range r.IntN(3) {
		if len(b) == 0 {
			return with[:1]
		}
		c := with[r.IntN(len(with))]
		if r.IntN(8) == 0 {
			c = byte(r.Uint32())
		}
		p := r.IntN(len(b))
		switch r.IntN(5) {
		case 0, 1:
			b[p] = c
		case 2:
			b = append(b[:p], b[p+1:]...)
		case 3:
			b = append(b[:p+1], b[p:]...)
			b[p] = c
		case 4:
			b = b[:p]
		}
	}
	return string(b)
}

// randomFloat is finite: of random bits, computed, or as people write them.
func randomFloat(r *rand.Rand) float64 {
	f := math.Float64frombits(r.Uint64())
	switch r.IntN(8) {
	case 0:
		f = r.Float64()
	case 1:
		f = -math.Round(r.Float64()*1e7) / 1000
	case 2:
		f = float64(r.Int64()>>(24+r.IntN(39))) / 1e6
	case 3:
		f = float64(r.Int64()>>r.IntN(63)) * math.Pow10(r.IntN(44)-22)
	case 4:
		f = math.Ldexp(float64(r.IntN(1000)), r.IntN(2000)-1000)
	}
	switch r.IntN(4) {
	case 0:
		f = math.Nextafter(f, 0)
	case 1:
		f = math.Nextafter(f, math.Inf(1))
	}
	if f-f != 0 {
		return 0
	}
	return f
}

// randomTime lies about the years 0 to 9999, in UTC or in a zone.
func randomTime(r *rand.Rand) time.Time {
	tm := time.Unix(r.Int64N(253402300800+62167219200+40000)-62167219200-20000, r.Int64N(1e9)).UTC()
	switch r.IntN(6) {
	case 1:
		return tm.Truncate(time.Second)
	case 2:
		return tm.Truncate(time.Millisecond)
	case 3:
		return tm.In(time.FixedZone("", (r.IntN(25*60*2)-25*60)*60))
	case 4:
		return tm.In(time.FixedZone("", r.IntN(1e5)-5e4))
	}
	return tm
}

// randomDocument is a document of few values, most of them well-formed.
func randomDocument(r *rand.Rand, depth int) string {
	space := func() string { return []string{"", "", "", " ", "\n  ", "\t", "\n          "}[r.IntN(7)] }
	if depth == 0 || r.IntN(3) == 0 {
		return grammar.Valid[r.IntN(len(grammar.Valid))]
	}
	s := "["
	end := "]"
	if r.IntN(2) == 0 {
		s, end = "{", "}"
	}
	for n := range r.IntN(4) {
		if n > 0 {
			s += ","
		}
		s += space()
		if end == "}" {
			s += `"` + randomText(r, sources[:8]) + `"` + space() + ":"
		}
		s += randomDocument(r, depth-1) + space()
	}
	return s + end
}
