package values

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

// numeric is a nullable decimal whose exported parts can hold what nobody writes down.
type numeric struct {
	Int   *big.Int
	Exp   int32
	Valid bool
}

func (n numeric) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	if n.Exp > 0 {
		return []byte(n.Int.String() + strings.Repeat("0", int(n.Exp))), nil
	}
	return fmt.Appendf(nil, "%se%d", n.Int, n.Exp), nil
}

func (n *numeric) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = numeric{}
		return nil
	}
	mantissa, exp, _ := strings.Cut(string(b), "e")
	whole, places, _ := strings.Cut(mantissa, ".")
	i, ok := new(big.Int).SetString(whole+places, 10)
	if !ok {
		return errors.New("no number")
	}
	e := 0
	if exp != "" {
		if _, err := fmt.Sscan(exp, &e); err != nil {
			return err
		}
	}
	*n = numeric{i, int32(e - len(places)), true}
	return nil
}

// attribute holds a value with its type, in one of two ways.
type attribute struct{ s, n string }

func (a attribute) MarshalJSON() ([]byte, error) {
	switch {
	case a.s != "":
		return json.Marshal(map[string]string{"S": a.s})
	case a.n != "":
		return json.Marshal(map[string]string{"N": a.n})
	}
	return nil, errors.New("no type")
}

func (a *attribute) UnmarshalJSON(b []byte) error {
	var m map[string]string
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	if *a = (attribute{m["S"], m["N"]}); a.s == "" && a.n == "" {
		return errors.New("no type")
	}
	return nil
}

// intOrString is either, as is its JSON.
type intOrString struct {
	IsString bool
	Int      int32
	String   string
}

func (x intOrString) MarshalJSON() ([]byte, error) {
	if x.IsString {
		return json.Marshal(x.String)
	}
	return json.Marshal(x.Int)
}

func (x *intOrString) UnmarshalJSON(b []byte) error {
	if x.IsString = b[0] == '"'; x.IsString {
		return json.Unmarshal(b, &x.String)
	}
	return json.Unmarshal(b, &x.Int)
}

// unknowable reads nothing that anybody thought of.
type unknowable struct{ x int }

func (u unknowable) MarshalJSON() ([]byte, error) {
	if u.x == 0 {
		return nil, errors.New("unset")
	}
	return []byte(`{"!":1}`), nil
}

func (u *unknowable) UnmarshalJSON(b []byte) error {
	if u.x = strings.Count(string(b), "!"); u.x == 0 {
		return errors.New("no !")
	}
	return nil
}

// invalid writes what is no JSON when it is given more than a word.
type invalid string

func (i invalid) MarshalJSON() ([]byte, error) { return []byte(`"` + string(i) + `"`), nil }

// object has methods, and its form is what its fields make.
type object struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

func (o object) MarshalJSON() ([]byte, error) {
	type plain object
	return json.Marshal(plain(o))
}

func (o *object) UnmarshalJSON(b []byte) error {
	if b[0] == '"' { // its short form
		return json.Unmarshal(b, &o.Name)
	}
	type plain object
	return json.Unmarshal(b, (*plain)(o))
}

// block is an interface that only its list can read.
type block interface{ kind() string }

type spelt struct {
	Amount  numeric
	Rate    numeric
	Image   map[string]attribute
	Port    intOrString
	Name    intOrString
	Odd     *unknowable
	Odds    []unknowable
	ByName  map[string]unknowable
	Reason  invalid
	Details object
	Blocks  []block
}

// TestSpelt: types that spell themselves get values that a program would have written.
func TestSpelt(t *testing.T) {
	vals, err := Values[spelt](Options{Seed: 3, N: 300})
	if err != nil {
		t.Fatal(err)
	}
	nulls, images, names := 0, 0, map[bool]int{}
	for i, v := range vals {
		doc, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("value %d: %v", i, err)
		}
		var again spelt
		if err := json.Unmarshal(doc, &again); err != nil {
			t.Fatalf("value %d: %v: %s", i, err, doc)
		}
		if !v.Amount.Valid {
			nulls++
		}
		if e := v.Amount.Exp; e < -3 || e > 0 {
			t.Fatalf("value %d: amount %s × 10^%d", i, v.Amount.Int, e)
		}
		images += len(v.Image)
		if v.Odd != nil || v.Odds != nil || v.ByName != nil || v.Blocks != nil {
			t.Fatalf("value %d holds what cannot be made: %s", i, doc)
		}
		if v.Port.IsString || v.Port.Int == 0 {
			t.Fatalf("value %d: port %v", i, v.Port)
		}
		names[v.Name.IsString]++
		if v.Details.Count == 0 || v.Details.Name == "" {
			t.Fatalf("value %d: details %+v: read from its short form", i, v.Details)
		}
	}
	if nulls == 0 || nulls > 100 || images < 300 || names[false] > 0 {
		t.Errorf("%d nulls, %d attributes, names %v", nulls, images, names)
	}
}

// TestSpeltUnmade: a value that must be there and cannot be made stays zero.
func TestSpeltUnmade(t *testing.T) {
	vals, err := Values[struct{ Odd unknowable }](Options{Seed: 1, N: 3})
	if err != nil || vals[0].Odd.x != 0 {
		t.Errorf("%v, %v", vals, err)
	}
}

// TestRespellsValidates: what a method writes must be JSON.
func TestRespellsValidates(t *testing.T) {
	for text, want := range map[string]bool{"word": true, "two words": true, `a "quote"`: false} {
		v := invalid(text)
		if got := writes(reflect.ValueOf(&v).Elem()); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
