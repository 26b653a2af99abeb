package values

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

type session struct {
	ID        uint64
	UserID    string
	Email     string
	IP        string
	UserAgent string
	Avatar    string
	CreatedAt time.Time
	Birthday  *time.Time
	Roles     []string
	Scores    []int
	Attrs     map[string]any
	Counts    map[int32]string
	Nested    map[string]map[string]int8
	Price     float64
	Balance   *big.Float
	Huge      big.Int
	Raw       json.RawMessage
	Payload   []byte
	Key       [16]byte
	Level     level
	Money     money
	Nick      sql.NullString
	Children  []*session
	Parent    *session
	Any       any
	Err       error
	Addr      netip.Addr
	AddrPort  netip.AddrPort
	Net       netip.Prefix
	OldIP     net.IP
	Home      url.URL
	Tiny      int8
	Small     uint16
	Quantity  int32
	Ch        chan int `json:"-"` // JSON could write no session within another
	base
	hidden int
}

type base struct{ Version int }

// level spells three values only.
type level int

func (l level) MarshalText() ([]byte, error) {
	if l < 1 || l > 3 {
		return nil, fmt.Errorf("no level %d", int(l))
	}
	return []byte(strings.Repeat("x", int(l))), nil
}

func (l *level) UnmarshalText(b []byte) error { *l = level(len(b)); return nil }

// money shows no field but reads decimals.
type money struct{ text string }

func (m money) MarshalText() ([]byte, error) { return []byte(m.text), nil }
func (m *money) UnmarshalText(b []byte) error {
	if _, ok := new(big.Rat).SetString(string(b)); !ok {
		return fmt.Errorf("%q is no decimal", b)
	}
	m.text = string(b)
	return nil
}

func TestValuesAreReal(t *testing.T) {
	m, err := New[session](1)
	if err != nil {
		t.Fatal(err)
	}
	m.thinning = thinnings[0] // sessions within sessions are too large for all parts; TestPlausibleSize is about that
	vals := Fill(Options{N: 300}, func(uint64) session {
		v, err := m.Next()
		if err != nil {
			t.Fatal(err)
		}
		return v
	})
	nils, parents, roles := 0, 0, map[int]int{}
	kinds := map[string]int{}
	for _, v := range vals {
		check := func(ok bool, what string, got any) {
			t.Helper()
			if !ok {
				t.Fatalf("%s: %v", what, got)
			}
		}
		_, err := mail.ParseAddress(v.Email)
		check(err == nil, "email", v.Email)
		_, err = netip.ParseAddr(v.IP)
		check(err == nil, "IP", v.IP)
		u, err := url.Parse(v.Avatar)
		check(err == nil && u.Host != "", "avatar", v.Avatar)
		check(strings.HasPrefix(v.UserID, "use_"), "user ID", v.UserID)
		check(v.CreatedAt.Location() == time.UTC && v.CreatedAt.Nanosecond()%1000 == 0 && v.CreatedAt == v.CreatedAt.Round(0), "time",
			v.CreatedAt)
		check(v.Price != 0 && round(v.Price, 2) == v.Price, "price", v.Price)
		check(v.Quantity >= 1 && v.Quantity <= 50, "quantity", v.Quantity)
		check(v.AddrPort.IsValid() && v.Net.IsValid() && len(v.OldIP) > 0 && v.Home.Host != "", "network", v.Home)
		check(v.Level >= 1 && v.Level <= 3, "level", v.Level)
		check(v.Money.text != "", "money", v.Money)
		check(v.Nick.Valid || v.Nick.String == "", "null string", v.Nick)
		check(v.Addr.IsValid() && v.Huge.Sign() > 0, "known types", v.Addr)
		check(v.Balance == nil || v.Balance.Prec() == 64, "big.Float", v.Balance)
		check(v.Err == nil && v.Ch == nil && v.hidden == 0 && v.Version > 0, "what nobody carries", v)
		var buf bytes.Buffer
		check(json.Compact(&buf, v.Raw) == nil && bytes.Equal(buf.Bytes(), v.Raw), "raw", string(v.Raw))
		doc, err := json.Marshal(v.Raw)
		check(err == nil && bytes.Equal(doc, v.Raw), "raw is already escaped", string(v.Raw))
		if v.Birthday == nil {
			nils++
		}
		if v.Parent != nil {
			parents++
		}
		roles[len(v.Roles)]++
		for _, a := range v.Attrs {
			kinds[fmt.Sprintf("%T", a)]++
		}
		clean(t, reflect.ValueOf(v))
	}
	if nils < 10 || nils > 100 || parents < 50 || roles[0] < 5 || roles[1] < 60 || roles[1] < roles[5] {
		t.Errorf("nil pointers %d, parents %d, lengths %v", nils, parents, roles)
	}
	for _, k := range []string{"string", "int", "float64", "bool", "map[string]interface {}", "[]interface {}", "time.Time", "[]uint8"} {
		if kinds[k] == 0 {
			t.Errorf("no %s in an any: %v", k, kinds)
		}
	}
}

// clean checks what the package promises of every drawn value.
func clean(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			t.Fatalf("invalid UTF-8: %q", v.String())
		}
	case reflect.Slice, reflect.Map:
		if !v.IsNil() && v.Len() == 0 {
			t.Fatalf("%s is empty and not nil", v.Type())
		}
		if v.Kind() == reflect.Map {
			for _, k := range v.MapKeys() {
				clean(t, v.MapIndex(k))
			}
			return
		}
		for i := range v.Len() {
			if e := v.Index(i); nilable(e.Type()) && e.IsNil() {
				t.Fatalf("%s holds a nil element", v.Type())
			}
			clean(t, v.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			clean(t, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				clean(t, v.Field(i))
			}
		}
	}
}

// The digest pins values across processes, Go versions and map orders: a change
// here changes every user's figures and belongs in the changelog.
func TestDeterminism(t *testing.T) {
	digest := func(seed uint64) string {
		vals, err := Values[session](Options{Seed: seed, N: 50})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := json.Marshal(struct {
			V []shadow
		}{shadows(vals)})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", sha256.Sum256(doc))[:16]
	}
	if a, b := digest(7), digest(7); a != b {
		t.Error("two sets from one seed differ")
	}
	if digest(7) == digest(8) {
		t.Error("two seeds give the same values")
	}
	if got := digest(1); got != wantDigest {
		t.Errorf("the values of seed 1 changed: digest %s, was %s", got, wantDigest)
	}
	few, _ := Values[session](Options{Seed: 1, N: 3})
	many, _ := Values[session](Options{Seed: 1, N: 30})
	if !reflect.DeepEqual(few, many[:3]) {
		t.Error("value i depends on how many are made")
	}
}

const wantDigest = "e2fad592ec3fecd0"

// shadow is what JSON can say of a session: it refuses channels.
type shadow map[string]any

func shadows(vals []session) []shadow {
	var out []shadow
	for _, v := range vals {
		s := shadow{}
		rv := reflect.ValueOf(v)
		for i := range rv.NumField() {
			switch f := rv.Type().Field(i); f.Name {
			case "Ch", "Children", "Parent":
			default:
				if f.IsExported() {
					s[f.Name] = rv.Field(i).Interface()
				}
			}
		}
		s["children"] = len(v.Children)
		out = append(out, s)
	}
	return out
}

type opaque struct{ a, b int }

type holder struct {
	Items []struct{ Inner map[string]opaque }
}

func TestErrorsNameThePath(t *testing.T) {
	vals, err := Values[holder](Options{}) // encoding/json carries it, as {}
	if got := Untested(vals); err != nil || !slices.Equal(got, []string{"Items[].Inner[*] (values.opaque)"}) {
		t.Errorf("got %q, %v", got, err)
	}
	type kept struct {
		Some *opaque
		Not  *opaque `json:"-"`
	}
	if k, err := Values[kept](Options{N: 3}); err != nil || k[0].Some != nil || !slices.Equal(Untested(k), []string{"Some (values.opaque)"}) {
		t.Errorf("%+v: untested %q, %v", k, Untested(k), err)
	}
	if _, err := New[opaque](1); err == nil || !strings.Contains(err.Error(), "the value itself") {
		t.Errorf("got %v", err)
	}
	if _, err := Values[opaque](Options{}); err == nil {
		t.Error("Values made what New refuses")
	}
}

type list []list
type tree map[string]tree
type ring *ring

func TestRecursionEnds(t *testing.T) {
	type node struct {
		Left, Right *node
		Many        []node
		ByName      map[string]*node
	}
	for seed := range uint64(20) {
		n, err := Values[node](Options{Seed: seed, N: 4})
		if err != nil || Size(n) > 16<<20 {
			t.Errorf("%d bytes, %v", Size(n), err)
		}
		if _, err := Values[list](Options{Seed: seed, N: 4}); err != nil {
			t.Error(err)
		}
		if _, err := Values[tree](Options{Seed: seed, N: 4}); err != nil {
			t.Error(err)
		}
		if _, err := Values[ring](Options{Seed: seed, N: 4}); err != nil {
			t.Error(err)
		}
	}
}

func TestCaps(t *testing.T) {
	blob := func(*rand.Rand) []byte { return make([]byte, 1000) }
	if n := len(Sampled(Options{N: 100, MaxBytes: 10_500}, blob)); n != 10 {
		t.Errorf("%d blobs of 1000 bytes fit 10,500", n)
	}
	if n := len(Sampled(Options{N: 100, MaxBytes: 10}, blob)); n != 1 {
		t.Errorf("%d values where one is always made", n)
	}
	if n := len(Sampled(Options{}, blob)); n != 256 {
		t.Errorf("%d values by default", n)
	}
	a := Sampled(Options{Seed: 3, N: 5}, func(r *rand.Rand) uint64 { return r.Uint64() })
	b := Sampled(Options{Seed: 3, N: 2}, func(r *rand.Rand) uint64 { return r.Uint64() })
	if !reflect.DeepEqual(a[:2], b) {
		t.Error("sampled values depend on how many are made")
	}
}

func TestSize(t *testing.T) {
	type pair struct {
		A string
		B []int64
	}
	p := &pair{"hello", make([]int64, 10)}
	shared := []*pair{p, p}
	self := map[string]any{}
	self["me"] = self
	for _, c := range []struct {
		v        any
		min, max int64
	}{
		{nil, 0, 0},
		{int32(1), 4, 4},
		{"hello", 21, 21},
		{*p, 40 + 5 + 80, 40 + 5 + 80},
		{shared, 24 + 16 + 125, 24 + 16 + 125},
		{make([]byte, 1<<20), 1 << 20, 1<<20 + 24},
		{map[string]int{"a": 1, "b": 2}, 2 * (16 + 8), 100},
		{self, 1, 200},
		{[]string{"ab", "c"}, 24 + 32 + 3, 24 + 32 + 3},
		{new(big.Int).Lsh(big.NewInt(1), 8000), 1000, 1200},
	} {
		if got := Size(c.v); got < c.min || got > c.max {
			t.Errorf("Size(%T) = %d, want %d to %d", c.v, got, c.min, c.max)
		}
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		"UserID": "user id", "UserIDs": "user ids", "HTTPUser": "http user", "created_at": "created at",
		"URLs": "urls", "IPv4Addr": "ip addr", "SKU": "sku", "a": "a", "": "", "ÉtatCivil": "état civil",
	} {
		if got := strings.Join(split(name), " "); got != want {
			t.Errorf("split(%s) = %q, want %q", name, got, want)
		}
	}
	for w, want := range map[string]string{"emails": "email", "categories": "category", "addresses": "address", "status": "status",
		"boxes": "box", "ids": "id"} {
		if got := singular(w); got != want {
			t.Errorf("singular(%s) = %q, want %q", w, got, want)
		}
	}
}

func FuzzSeeds(f *testing.F) {
	f.Add(uint64(0))
	f.Add(uint64(1 << 63))
	f.Fuzz(func(t *testing.T, seed uint64) {
		m, err := New[session](seed)
		if err != nil {
			t.Fatal(err)
		}
		v, err := m.Next()
		if err != nil {
			t.Fatal(err)
		}
		clean(t, reflect.ValueOf(v))
		h := fnv.New64()
		fmt.Fprint(h, Size(v))
	})
}
