package fidelity

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unsafe"
)

type msg struct{ Text string }

func decodeCopy(b []byte, v *msg) error { v.Text = string(b); return nil }

func decodeAlias(b []byte, v *msg) error {
	v.Text = unsafe.String(unsafe.SliceData(b), len(b))
	return nil
}

func TestAliases(t *testing.T) {
	doc := []byte("hello")
	if d, err := Aliases(doc, decodeCopy, nil); d != nil || err != nil {
		t.Errorf("a copying decoder: %v, %v", d, err)
	}
	d, err := Aliases(doc, decodeAlias, nil)
	if err != nil || len(d) != 1 || d[0].Path != "Text" {
		t.Errorf("an aliasing decoder: %v, %v", d, err)
	}
	picky := func(v *msg) (any, error) {
		if v.Text != "hello" {
			return nil, errors.New("not hello")
		}
		return v.Text, nil
	}
	if d, _ := Aliases(doc, decodeAlias, picky); len(d) != 1 || d[0].After != "not hello" {
		t.Errorf("a view that breaks: %v", d)
	}
	if _, err := Aliases(doc, func([]byte, *msg) error { return errors.New("no") }, nil); err == nil {
		t.Error("the decoder's error was lost")
	}
	if string(doc) != "hello" {
		t.Error("the caller's document was overwritten")
	}
}

func TestReusesOutput(t *testing.T) {
	vals := []msg{{"one"}, {"two"}, {"three"}}
	fresh := func(_ []byte, v *msg) ([]byte, error) { return []byte(v.Text), nil }
	if i, err := ReusesOutput(vals, fresh); i != -1 || err != nil {
		t.Errorf("a fresh encoder: %d, %v", i, err)
	}
	var buf [16]byte
	shared := func(_ []byte, v *msg) ([]byte, error) { return append(buf[:0], v.Text...), nil }
	if i, err := ReusesOutput(vals, shared); i != 0 || err != nil {
		t.Errorf("a reusing encoder: %d, %v", i, err)
	}
}

// A codec that loses what it should keep is graded by what it lost.
func TestLossyCodec(t *testing.T) {
	type value struct {
		A  int64
		In map[string]any
	}
	before := value{1<<53 + 1, map[string]any{"n": 7}}
	var doc map[string]any
	b, _ := json.Marshal(before)
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	after := value{A: int64(doc["A"].(float64)), In: doc["In"].(map[string]any)}
	var s Summary
	s.Add(Compare(before, after, Options{}))
	got := s.Top(5)
	if s.Grade() != GradeLossy || len(got) != 2 || got[0].String() != "A 9007199254740993 → 9007199254740992" ||
		got[1].String() != `In["n"] int 7 → float64 7` {
		t.Errorf("%s %v", s.Grade(), got)
	}
}

// lengthPrefixed is a careless decoder: it believes the length it reads.
func lengthPrefixed(b []byte, v *msg) error {
	n := binary.LittleEndian.Uint16(b)
	v.Text = string(b[2 : 2+n])
	return nil
}

func careful(b []byte, v *msg) error {
	if len(b) < 2 || len(b)-2 != int(binary.LittleEndian.Uint16(b)) {
		return errors.New("short")
	}
	v.Text = string(b[2:])
	return nil
}

func TestRobustness(t *testing.T) {
	doc := append([]byte{5, 0}, "hello"...)
	r := Robustness(doc, careful, Damage{Flips: 100})
	if r.Panics != 0 || r.First != nil || r.Truncations != 7 || r.Accepted != 0 || r.Flips != 100 {
		t.Errorf("a careful decoder: %+v", r)
	}
	r = Robustness(doc, lengthPrefixed, Damage{Flips: 100})
	if r.Panics < 7 || r.First == nil || r.First.Kind != "truncation" || !strings.Contains(r.First.String(), "input  (0 bytes)") {
		t.Errorf("a careless decoder: %+v", r)
	}
	again := Robustness(doc, lengthPrefixed, Damage{Flips: 100})
	if again.Panics != r.Panics {
		t.Errorf("%d panics, then %d, from one seed", r.Panics, again.Panics)
	}
	r = Robustness(doc, decodeCopy, Damage{Truncations: 3, Flips: 1})
	if r.Truncations != 3 || r.Accepted != 3 {
		t.Errorf("a decoder that takes anything: %+v", r)
	}
	greedy := func(b []byte, v *msg) error {
		if len(b) >= 2 {
			v.Text = string(make([]byte, int(b[0])<<20))
		}
		return nil
	}
	if r := Robustness(doc, greedy, Damage{Flips: 1}); r.Most < 5<<20 || len(r.MostFor) < 2 {
		t.Errorf("a greedy decoder allocated %d bytes", r.Most)
	}
	if r := Robustness(nil, careful, Damage{}); r.Truncations != 0 || r.Flips != 0 {
		t.Errorf("an empty document: %+v", r)
	}
}
