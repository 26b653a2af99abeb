package sample

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/mail"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
)

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestTruncatedPoissonKeepsItsMean(t *testing.T) {
	for _, c := range []struct {
		mean   float64
		lo, hi int
	}{{4.2, 1, 15}, {1.1, 1, 3}, {9, 0, 10}, {400, 100, 700}} {
		d := TruncatedPoisson(c.mean, c.lo, c.hi)
		if math.Abs(d.Mean()-c.mean) > 1e-6 {
			t.Errorf("%+v: exact mean %v", c, d.Mean())
		}
		r, sum, n := seeded(), 0, 20000
		for range n {
			k := d.Draw(r)
			if k < c.lo || k > c.hi {
				t.Fatalf("%+v: drew %d", c, k)
			}
			sum += k
		}
		// Five standard errors; a Poisson's deviation is at most the root of its rate.
		got, tol := float64(sum)/float64(n), 5*math.Sqrt(2*c.mean/float64(n))
		if math.Abs(got-c.mean) > tol {
			t.Errorf("%+v: drawn mean %v, want within %v", c, got, tol)
		}
	}
}

func TestDiscreteFollowsItsWeights(t *testing.T) {
	weights := []float64{1, 0, 5, 2, 8}
	d, r, n := NewDiscrete(10, weights), seeded(), 100000
	var count [5]int
	for range n {
		count[d.Draw(r)-10]++
	}
	for i, w := range weights {
		if got, want := float64(count[i])/float64(n), w/16; math.Abs(got-want) > 0.008 {
			t.Errorf("%d: share %v, want %v", i, got, want)
		}
	}
}

func TestDiscreteRefusesBadWeights(t *testing.T) {
	for _, w := range [][]float64{nil, {0, 0}, {1, -1}, {math.NaN()}, {math.Inf(1)}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("weights %v accepted", w)
				}
			}()
			NewDiscrete(0, w)
		}()
	}
}

// The figures of the package comment.
func TestTextHasTheEntropyOfProse(t *testing.T) {
	v := words()
	if len(v.words) != VocabularySize {
		t.Fatalf("vocabulary of %d words", len(v.words))
	}
	sum, entropy, length := 0.0, 0.0, 0.0
	for k := range VocabularySize {
		sum += math.Pow(float64(k)+2.7, -1.05)
	}
	for k, w := range v.words {
		p := math.Pow(float64(k)+2.7, -1.05) / sum
		entropy -= p * math.Log2(p)
		length += p * float64(len(w)+1)
	}
	t.Logf("%.2f bits a word, %.2f bytes a word, %.2f bits a byte", entropy, length, entropy/length)
	if math.Abs(entropy-9.45) > 0.05 {
		t.Errorf("%.2f bits a word, documented as 9.45", entropy)
	}
	text := Text(seeded(), 20000)
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(text))
	w.Close()
	ratio := float64(len(text)) / float64(z.Len())
	t.Logf("gzip ratio %.2f", ratio)
	if ratio < 2.6 || ratio > 2.8 {
		t.Errorf("gzip makes it %.2f times smaller, documented as 2.7", ratio)
	}
}

func TestText(t *testing.T) {
	r := seeded()
	for n := 1; n < 60; n++ {
		s := Text(r, n)
		if got := len(strings.Fields(s)); got != n {
			t.Fatalf("Text(%d) has %d words: %q", n, got, s)
		}
		if !strings.HasSuffix(s, ".") || s[0] < 'A' || s[0] > 'Z' {
			t.Fatalf("not a sentence: %q", s)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	r := seeded()
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	at := time.Date(2025, 6, 1, 12, 0, 0, 123e6, time.UTC)
	for range 200 {
		if s := UUID(r, at); !uuid.MatchString(s) || !strings.HasPrefix(s, "01972b5c-ee7b-7") {
			t.Fatalf("UUID %q", s)
		}
		if s := OrderID(r); !regexp.MustCompile(`^ORD-2025-\d{7}-[A-Z]\d$`).MatchString(s) {
			t.Fatalf("OrderID %q", s)
		}
		if s := SKU(r); !regexp.MustCompile(`^SKU-\d{6}-[A-Z]{2}$`).MatchString(s) {
			t.Fatalf("SKU %q", s)
		}
		if s := Token(r, 32); len(s) != 43 {
			t.Fatalf("Token %q", s)
		}
		if s := Hex(r, 5); len(s) != 10 {
			t.Fatalf("Hex %q", s)
		}
		if x := BigInt(r, 97); x.BitLen() != 97 {
			t.Fatalf("BigInt of %d bits", x.BitLen())
		}
		if _, err := netip.ParseAddr(IP(r)); err != nil {
			t.Fatal(err)
		}
		first, last := Name(r)
		if a := Email(r, first, last); !isASCII(a) {
			t.Fatalf("address %q of %s %s", a, first, last)
		} else if _, err := mail.ParseAddress(a); err != nil {
			t.Fatalf("address %q: %v", a, err)
		}
		if ua := UserAgent(r); len(ua) < 60 || len(ua) > 160 {
			t.Fatalf("user agent of %d bytes: %q", len(ua), ua)
		}
		if tm := Time(r); tm.Year() != 2025 || tm.Location() != time.UTC {
			t.Fatalf("time %v", tm)
		}
	}
	for n := range 20 {
		if b := Bytes(r, n); len(b) != n || cap(b) != n || (n == 0) != (b == nil) {
			t.Fatalf("Bytes(%d): len %d cap %d nil %v", n, len(b), cap(b), b == nil)
		}
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c >= 0x80 })
}

func TestPrices(t *testing.T) {
	r := seeded()
	for range 2000 {
		if c := Cents(r); c <= 0 {
			t.Fatalf("a price of %d cents", c)
		}
		// The shortest text of a BigPrice reads back as the very same number.
		p := BigPrice(r)
		text, err := p.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		q := p.Copy(p)
		q.SetPrec(0)
		if err := q.UnmarshalText(text); err != nil || q.Cmp(p) != 0 || q.Prec() != p.Prec() {
			t.Fatalf("%s reads back as %v (prec %d), %v", text, q, q.Prec(), err)
		}
	}
}

func TestRawAttrsIsWhatEncodingJSONWrites(t *testing.T) {
	r := seeded()
	for range 500 {
		raw := json.RawMessage(RawAttrs(r))
		out, err := json.Marshal(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if !bytes.Equal(raw, out) {
			t.Fatalf("%s is rewritten to %s", raw, out)
		}
	}
}

func TestBrandsComeFromTheTail(t *testing.T) {
	r := seeded()
	first := VocabularySize - brands().n()
	if n := len(strings.Fields(functionWords + " " + catalogueWords)); first < n {
		t.Fatalf("brands start at rank %d, inside the %d common words", first, n)
	}
	for range 100 {
		if b := Brand(r); b == "" || b[0] < 'A' || b[0] > 'Z' {
			t.Fatalf("brand %q", b)
		}
		if p := ProductName(r, "Brixa"); !strings.HasPrefix(p, "Brixa ") || len(strings.Fields(p)) < 3 {
			t.Fatalf("product %q", p)
		}
	}
}

func BenchmarkText(b *testing.B) {
	r := seeded()
	for b.Loop() {
		Text(r, 100)
	}
}
