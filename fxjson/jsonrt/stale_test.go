package jsonrt

import (
	"encoding/json"
	"testing"
	"time"
)

type (
	printA struct {
		A int `json:"a"`
		B []string
	}
	printMethod int
	printZero   struct{ N int }
	printTree   struct{ Next []*printTree }
	printEmbed  struct{ printA }
	printNamed  struct{ PrintA printA }
)

func (printMethod) MarshalText() ([]byte, error) { return nil, nil }

func (*printZero) IsZero() bool { return true }

// TestPrint holds which changes of a type change its fingerprint.
func TestPrint(t *testing.T) {
	type again printA
	type tree struct{ Next []*printTree }
	prints := map[uint64]string{}
	for name, p := range map[string]uint64{
		"as it was": printOf[printA](),
		"another tag": printOf[struct {
			A int `json:"b"`
			B []string
		}](),
		"an option": printOf[struct {
			A int `json:"a,omitempty"`
			B []string
		}](),
		"decimals": printOf[struct {
			A int `json:"a" fxjson:"decimals=2"`
			B []string
		}](),
		"an empty tag": printOf[struct {
			A int      `json:"a"`
			B []string `json:""`
		}](),
		"another name": printOf[struct {
			A int `json:"a"`
			C []string
		}](),
		"a field more": printOf[struct {
			A int `json:"a"`
			B []string
			C int
		}](),
		"another order": printOf[struct {
			B []string
			A int `json:"a"`
		}](),
		"another size": printOf[struct {
			A int32 `json:"a"`
			B []string
		}](),
		"an array": printOf[struct {
			A int `json:"a"`
			B [2]string
		}](),
		"a longer array": printOf[struct {
			A int `json:"a"`
			B [3]string
		}](),
		"a pointer": printOf[struct {
			A *int `json:"a"`
			B []string
		}](),
		"a map": printOf[struct {
			A int `json:"a"`
			B map[string]string
		}](),
		"a map by numbers": printOf[struct {
			A int `json:"a"`
			B map[int]string
		}](),
		"an interface": printOf[struct {
			A any `json:"a"`
			B []string
		}](),
		"one with a method": printOf[struct {
			A json.Marshaler `json:"a"`
			B []string
		}](),
		"a method": printOf[struct {
			A printMethod `json:"a"`
			B []string
		}](),
		"a time": printOf[struct {
			A time.Time `json:"a"`
			B []string
		}](),
		"a number": printOf[struct {
			A json.Number `json:"a"`
			B []string
		}](),
		"raw": printOf[struct {
			A json.RawMessage `json:"a"`
			B []string
		}](),
		"IsZero":           printOf[printZero](),
		"no IsZero":        printOf[struct{ N int }](),
		"embedded":         printOf[printEmbed](),
		"not embedded":     printOf[printNamed](),
		"itself":           printOf[printTree](),
		"not quite itself": printOf[tree](),
	} {
		if other, ok := prints[p]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		prints[p] = name
	}
	for name, p := range map[string]uint64{
		"another name of the type": printOf[again](),
		"an unexported field": printOf[struct {
			A int `json:"a"`
			b chan int
			B []string
		}](),
		"a field that JSON leaves out": printOf[struct {
			A int `json:"a"`
			B []string
			C func() `json:"-"`
		}](),
		"a tag of something else": printOf[struct {
			A int `json:"a" yaml:"x"`
			B []string
		}](),
	} {
		if prints[p] != "as it was" {
			t.Errorf("%s changes the fingerprint", name)
		}
	}
}
