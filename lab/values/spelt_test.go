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

// state is written by its fields, and read only with a version before 2.
type state struct {
	FormatVersion string           `json:"format_version,omitempty"`
	Values        map[string]int   `json:"values,omitempty"`
	Prior         *state           `json:"prior,omitempty"`
	Older         map[string]state `json:"older,omitempty"`
}

func (s *state) UnmarshalJSON(b []byte) error {
	type plain state
	if err := json.Unmarshal(b, (*plain)(s)); err != nil {
		return err
	}
	if !strings.HasPrefix(s.FormatVersion, "0.") && !strings.HasPrefix(s.FormatVersion, "1.") {
		return errors.New("no version, or an unsupported one")
	}
	return nil
}

// TestReadsAlone: of a type with UnmarshalJSON alone, that does not take every value of its
// fields, nearly all values can be read, and optional parts that cannot be are left out.
func TestReadsAlone(t *testing.T) {
	type plan struct {
		ID    string `json:"id"`
		State *state `json:"state,omitempty"`
	}
	plans, err := Values[plan](Options{Seed: 1, N: 200})
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for i, p := range plans {
		b, err := json.Marshal(p)
		if err != nil || json.Unmarshal(b, new(plan)) != nil {
			t.Fatalf("value %d is not read: %s, %v", i, b, err)
		}
		if p.State != nil {
			held++
		}
	}
	if held < 100 {
		t.Errorf("%d of %d have a state", held, len(plans))
	}
	states, err := Values[state](Options{Seed: 1, N: 200})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, s := range states {
		if b, err := json.Marshal(s); err != nil || json.Unmarshal(b, new(state)) != nil {
			refused++
		}
	}
	if refused > 10 {
		t.Errorf("%d of %d states are not read", refused, len(states))
	}
}

// exclusive is an object of which two parts exclude one another, and reads true and {} as well.
type exclusive struct {
	Type  string     `json:"-"`
	Types []string   `json:"-"`
	Title string     `json:"title,omitempty"`
	Min   int        `json:"min,omitempty"`
	Of    *exclusive `json:"of,omitempty"`
}

func (e exclusive) MarshalJSON() ([]byte, error) {
	type plain exclusive
	if e.Type != "" && e.Types != nil {
		return nil, errors.New("both Type and Types")
	}
	var typ any = e.Types
	if e.Type != "" {
		typ = e.Type
	}
	return json.Marshal(struct {
		Type any `json:"type"`
		plain
	}{typ, plain(e)})
}

func (e *exclusive) UnmarshalJSON(b []byte) error {
	type plain exclusive
	*e = exclusive{}
	if string(b) == "true" {
		return nil
	}
	var typ struct{ Type any }
	if err := errors.Join(json.Unmarshal(b, &typ), json.Unmarshal(b, (*plain)(e))); err != nil {
		return err
	}
	switch x := typ.Type.(type) {
	case string:
		e.Type = x
	case []any:
		for _, s := range x {
			e.Types = append(e.Types, fmt.Sprint(s))
		}
	}
	return nil
}

// TestExclusive: a struct whose form is an object is drawn by its fields also where not all of
// them may be set at once, and a pointer to what is null in JSON is nil.
func TestExclusive(t *testing.T) {
	type contract struct{ Schema *exclusive }
	vals, err := Values[contract](Options{Seed: 1, N: 200})
	if err != nil {
		t.Fatal(err)
	}
	titled, total := 0, 0
	for _, v := range vals {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if total += len(b); v.Schema != nil && v.Schema.Title != "" {
			titled++
		}
	}
	if titled < 60 || total < 200*40 {
		t.Errorf("%d of %d have a title, mean size %d", titled, len(vals), total/len(vals))
	}
	type box struct{ Held *nothing }
	boxes, err := Values[box](Options{Seed: 1, N: 20})
	for _, b := range boxes {
		if err != nil || b.Held != nil {
			t.Errorf("%+v, %v", b, err)
		}
	}
}

// nothing writes null.
type nothing struct{ items []fmt.Stringer }

func (n nothing) MarshalJSON() ([]byte, error)  { return json.Marshal(n.items) }
func (n *nothing) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &n.items) }
