package tinylibx_test

import "time"

//go:generate go run github.com/tinylib/msgp@v1.6.5 -tests=false -unexported -file record_test.go -o record_msgp_test.go

// record has generated code.
type record struct {
	ID    string            `msg:"id"`
	Count int64             `msg:"count"`
	Price float64           `msg:"price"`
	Tags  []string          `msg:"tags"`
	Meta  map[string]string `msg:"meta"`
	Raw   []byte            `msg:"raw"`
	At    time.Time         `msg:"at"`
	Items []item            `msg:"items"`
}

type item struct {
	Sku string `msg:"sku"`
	Qty int    `msg:"qty"`
}
