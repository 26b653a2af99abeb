package values

import (
	"database/sql"
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"
)

// pennies and amount marshal themselves and keep their data to themselves.
type pennies struct{ n int64 }

func (c pennies) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "cents!%d", c.n), nil }

type amount struct {
	Currency string
	cents    int64
}

func (m amount) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", m.cents), nil }

type shown struct {
	A      int
	hidden int // no codec is asked to carry it
}

type dues struct {
	Items []struct{ Price pennies }
	By    map[string]*amount
	At    time.Time
	Sum   *big.Int
	Any   any
	Plain shown
}

// TestDenseIsValid: where nothing is left nil, nothing is null by a flag either.
func TestDenseIsValid(t *testing.T) {
	type row struct {
		A, B sql.NullTime
		C    *sql.NullString
		D    sql.Null[time.Time]
		E, F sql.NullInt64
		L    []sql.NullTime
	}
	v, err := Dense[row]()
	if err != nil || !v.A.Valid || !v.B.Valid || !v.C.Valid || !v.D.Valid || !v.E.Valid || !v.F.Valid || !v.L[0].Valid {
		t.Errorf("%+v, %v", v, err)
	}
	if v.A.Time.IsZero() || v.D.V.IsZero() || Untested([]row{v}) != nil {
		t.Errorf("%+v", v)
	}
}

func TestUntested(t *testing.T) {
	b := dues{Items: []struct{ Price pennies }{{}, {}}, By: map[string]*amount{"a": {Currency: "EUR"}}, At: time.Unix(1, 0),
		Sum: big.NewInt(5), Any: pennies{}}
	want := []string{"Any (values.pennies)", "By[*] (values.amount)", "Items[].Price (values.pennies)"}
	if got := Untested([]dues{b, b}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	full := dues{Items: []struct{ Price pennies }{{pennies{1}}}, By: map[string]*amount{"a": {"EUR", 1}}, Any: pennies{2}}
	if got := Untested([]dues{b, full}); got != nil { // one value of many is enough
		t.Errorf("got %q, want none", got)
	}
	if got := Untested([]pennies{{}}); !slices.Equal(got, []string{"the value itself (values.pennies)"}) {
		t.Errorf("got %q", got)
	}
}
