package kinds

import (
	"encoding/json"
	"fmt"
)

// Carried has fields that few formats can carry directly, and fields that are left out.
type Carried struct {
	Names  *[]string
	Amount Amount
	By     map[Place]int32
	Cause  error
	Secret string `json:"-"`
	Nested Nested
	Last   []Nested
}

// Amount has no exported fields, so only its methods can carry it.
type Amount struct{ cents int64 }

func (a Amount) MarshalJSON() ([]byte, error) { return json.Marshal(fmt.Sprint(a.cents)) }

func (a *Amount) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	_, err := fmt.Sscan(text, &a.cents)
	return err
}

// Place is carried as text by its methods, also as the key of a map.
type Place struct{ X, Y int8 }

func (p Place) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d/%d", p.X, p.Y), nil }

func (p *Place) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%d/%d", &p.X, &p.Y)
	return err
}

type Nested struct {
	Name  string
	Token string `json:"-"`
}
