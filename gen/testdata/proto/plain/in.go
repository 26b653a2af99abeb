package plain

import (
	"net/netip"
	"time"

	"github.com/zmylab/zmy/fxproto"
)

// Status is an open enum.
type Status int32

// Order has a field of most shapes.
type Order struct {
	ID      string            `proto:"1"`
	Items   []Item            `proto:"2"`
	Total   int64             `proto:"3,sint"`
	Note    *string           `proto:"4"`
	Created time.Time         `proto:"5"`
	Labels  map[string]string `proto:"6"`
	Status  Status            `proto:"7"`
	Prices  []float64         `proto:"8"`
	Card    *Card             `proto:"9,oneof:paid"`
	Cash    *bool             `proto:"10,oneof:paid"`
	Took    time.Duration     `proto:"11"`
	Method  Method            `proto:"oneof"`
	Parent  *Order            `proto:"200"`
	Origin  netip.Addr        `proto:"14,text"`
	Local   chan int          `proto:"-"`
	Unknown fxproto.Unknown
}

// Item is carried within an Order.
type Item struct {
	Sku   string `proto:"1"`
	Count uint32 `proto:"2,fixed"`
	Rank  uint8  `proto:"4"`
	Steps []int8 `proto:"5,sint"`
	Extra struct {
		Weight float32 `proto:"1"`
	} `proto:"3"`
}

// Card is one way to pay.
type Card struct {
	Number [4]byte `proto:"1"`
}

// Method is another way to pay.
//
//zmy:union Transfer=12
//zmy:union Voucher=1
type Method interface{ isMethod() }

// Transfer is a message.
type Transfer struct {
	From string `proto:"1"`
	Card *Card  `proto:"2"`
}

// Voucher is a string.
type Voucher struct {
	Code string `proto:"13,oneof"`
}

func (*Transfer) isMethod() {}
func (Voucher) isMethod()   {}

var note, cash = "note", false

var samples = []any{
	&Order{},
	&Order{Method: Voucher{"a"}}, &Order{Method: &Transfer{From: "b", Card: &Card{}}},
	&Order{ID: "a", Items: []Item{{}, {Sku: "b", Count: 2}}, Total: -3, Note: &note, Created: time.Unix(5, 6).UTC(),
		Labels: map[string]string{"k": "v", "": ""}, Status: -1, Prices: []float64{1, 2.5}, Cash: &cash, Took: -time.Second,
		Parent: &Order{ID: "p", Card: &Card{Number: [4]byte{1, 2, 3, 4}}}, Unknown: fxproto.Unknown("\xf8\x07\x01")},
}
