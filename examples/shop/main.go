// Shop is a small service for trying zmy scan. It answers requests of its own, so that a profile needs no network.
package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"example.org/shop/api"
	"example.org/shop/order"
	"example.org/shop/store"
)

type config struct {
	Orders   int `json:"orders"`
	Requests int `json:"requests"`
}

func main() {
	cpu := flag.String("cpuprofile", "", "write a CPU profile to this file")
	mem := flag.String("memprofile", "", "write a profile of allocations to this file")
	settings := flag.String("config", `{"orders": 500, "requests": 20000}`, "settings, as JSON")
	flag.Parse()
	var c config
	if err := json.Unmarshal([]byte(*settings), &c); err != nil {
		log.Fatal(err)
	}
	if *cpu != "" {
		f, err := os.Create(*cpu)
		if err != nil {
			log.Fatal(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		defer pprof.StopCPUProfile()
	}
	serve(c)
	if *mem != "" {
		f, err := os.Create(*mem)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := pprof.Lookup("allocs").WriteTo(f, 0); err != nil {
			log.Fatal(err)
		}
	}
}

// serve answers requests: mostly for one order, some for a page of ten.
func serve(c config) {
	db := store.New()
	var ids []string
	for i := range c.Orders {
		o := newOrder(i)
		ids = append(ids, o.ID)
		if err := db.Save(o); err != nil {
			log.Fatal(err)
		}
	}
	s := &api.Server{DB: db}
	for i := range c.Requests {
		w := newWriter()
		if i%10 == 0 {
			from := i * 7 % (len(ids) - 10)
			s.List(w, ids[from:from+10])
		} else {
			s.Get(w, ids[i*31%len(ids)])
		}
		w.finish()
	}
}

func newOrder(i int) *order.Order {
	o := &order.Order{ID: fmt.Sprintf("A-%06d", i), Placed: time.Unix(1700000000+int64(i)*977, 0).UTC(),
		Customer: order.Customer{Name: fmt.Sprintf("Customer %d", i), Email: fmt.Sprintf("customer%d@example.org", i), City: "Lyon"},
		Notes:    []string{strings.Repeat("please ring twice ", 1+i%5)}}
	for k := range 3 + i%6 {
		o.Items = append(o.Items, order.Item{SKU: fmt.Sprintf("SKU-%d-%d", i, k), Title: fmt.Sprintf("Tea, blend number %d", i*k),
			Qty: 1 + k, Price: order.Money(199 + 10*i + k)})
	}
	return o
}

// writer is the other work of a service: it compresses and signs an answer.
type writer struct {
	zip    *gzip.Writer
	header http.Header
}

var pool = gzip.NewWriter(io.Discard)

func newWriter() *writer {
	pool.Reset(sha256.New())
	return &writer{pool, http.Header{}}
}

func (w *writer) Header() http.Header         { return w.header }
func (w *writer) WriteHeader(int)             {}
func (w *writer) Write(b []byte) (int, error) { return w.zip.Write(b) }
func (w *writer) finish()                     { _ = w.zip.Close() }
