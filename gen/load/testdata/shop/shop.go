// Package shop is a subject of the loader's tests.
package shop

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/zmylab/zmy/gen/load/testdata/shop/stock"
)

// Status says how far an order is.
type Status int32

// Order is what a customer wants.
//
//zmy:sparse
//zmy:reserved 4 string
type Order struct {
	ID      string `json:"id" zmy:"0"` // assigned by the shop
	Status  Status
	Items   []Item
	Meta    map[string]any
	Created time.Time
	TTL     time.Duration
	Total   *big.Float
	Raw     json.RawMessage
	N       json.Number
	// Parent is the order that
	// this one corrects.
	Parent *Order
	Sum    [32]byte
	stock.Place
	mu   sync.Mutex
	Dims struct{ W, H float32 }
	Pay  []byte
	Page Page[Item]
	Same Page[Item]
	Done chan bool
	Fn   func(int) string
	Any  any
	Err  error
	B, C byte
}

// Lines of orders.
type (
	Item struct {
		Sku string
		Pin stock.Pin
	}
	order struct{ X int }
)

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	Next  *Page[T]
}

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

type Alias = Order

type AliasPage = Page[order]

type GenericAlias[T any] = Pair[string, T]

// MarshalJSON is a hook of the value.
func (s Status) MarshalJSON() ([]byte, error) { return json.Marshal(int(s)) }

// UnmarshalJSON is a hook of the pointer.
func (s *Status) UnmarshalJSON([]uint8) error { return nil }

// MarshalText has another signature: no hook.
func (s Status) MarshalText() string { return "" }

func (o *order) IsZero() bool { return o.X == 0 }

func SampleOrder(r *rand.Rand) Order { return Order{ID: "1"} }

func SamplePage(r *rand.Rand) Page[order] { return Page[order]{} }

func SampleItem(r *rand.Rand) (Item, error) { return Item{}, nil }

func Samplestatus[T any](r *rand.Rand) (t T) { return }

// serve calls what does not exist yet.
func serve(w http.ResponseWriter, o *Order) {
	b, err := o.AppendJSON(nil)
	var v OrderView = ViewOrder(b)
	_, _ = v.Nothing(), err
}

// Look names a view in its signature.
func Look(v OrderView) {}

func (s Status) Of(v OrderView) bool { return v.Ok() }

var _ interface{ AppendJSON([]byte) []byte } = (*Order)(nil)

var width = [...]int{1, 2, 3}

// Sized has a length that a variable gives.
type Sized struct{ A [len(width)]int }
