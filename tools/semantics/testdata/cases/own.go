package cases

import (
	"errors"
	"fmt"
)

// Types with methods of their own, for which nothing is generated.

type Color int

func (c Color) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "c%d", 9-int(c)), nil }

func (c *Color) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "c%d", (*int)(c))
	return err
}

type ByPointer struct{ N int }

func (p *ByPointer) MarshalJSON() ([]byte, error) { return []byte(`"method"`), nil }

func (p *ByPointer) UnmarshalJSON([]byte) error { return nil }

type Broken struct{ N int }

func (b Broken) MarshalJSON() ([]byte, error) {
	if b.N < 0 {
		return nil, errors.New("refused")
	}
	return []byte(`{"n":`), nil
}

func (b *Broken) UnmarshalJSON([]byte) error { return nil }

// Types for which easyjson writes code that does not compile.

type Left struct{ Same, L int }

type Right struct{ Same, R int }

type Embedded struct {
	*Left
	Right
}
