// Exchange is the Go program of three programs that exchange orders. They are written in three
// languages, and each has another version of the types. README.md has the contract between them.
//
//	exchange write FILE   a stream of orders, as the service has them
//	exchange serve ADDR   the same stream to the first who connects; prints its address
//	exchange edit IN OUT  what the Java program does, with the same old types
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/zmylab/zmy"
	v1 "github.com/zmylab/zmy/spec/exchange/v1"
	v2 "github.com/zmylab/zmy/spec/exchange/v2"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "exchange:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "write":
		return writeFile(args[1], func(w io.Writer) error { return write(w, orders) })
	case len(args) == 2 && args[0] == "serve":
		return serve(w, args[1])
	case len(args) == 3 && args[0] == "edit":
		return edit(args[1], args[2])
	}
	return errors.New("usage: exchange write FILE | serve ADDR | edit IN OUT")
}

// orders is the number of orders of the service.
const orders = 100

// order returns the i-th order.
func order(i int) v2.Order {
	o := v2.Order{
		ID:     fmt.Sprintf("A-%d", i),
		Labels: map[string]string{"channel": []string{"web", "phone", "store"}[i%3]},
		Placed: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC),
	}
	for j := range 1 + i%4 {
		o.Items = append(o.Items, v2.Item{Sku: fmt.Sprintf("S-%d", j), Qty: int32(j + 1), Price: float64(i) + 0.25})
	}
	if i%5 == 0 {
		o.Note = fmt.Sprintf("note %d – ünï", i)
	}
	return o
}

func write(w io.Writer, n int) error {
	s := zmy.SealOptions{Describe: true}.NewWriter(w)
	for i := range n {
		o := order(i)
		if err := s.Marshal(&o); err != nil {
			return err
		}
	}
	return s.Close()
}

// serve listens on addr, prints the address to out, and writes the stream to the first connection.
func serve(out io.Writer, addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	defer l.Close()
	fmt.Fprintln(out, l.Addr())
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(conn)
	return errors.Join(write(b, orders), b.Flush(), conn.Close())
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	return errors.Join(write(b), b.Flush(), f.Close())
}

// edit reads the stream in the file from with the oldest types, changes every third order, appends
// an order, and writes all orders to the file to.
func edit(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeFile(to, func(w io.Writer) error {
		r, s := zmy.NewReader(bufio.NewReader(in)), zmy.NewWriter(w)
		for i := 0; ; i++ {
			var o v1.Order
			switch err := r.Unmarshal(&o); {
			case err == io.EOF:
				o = v1.Order{ID: "A-new", Items: []v1.Item{{Sku: "S-new", Qty: 7}}}
				if err := s.Marshal(&o); err != nil {
					return err
				}
				return s.Close()
			case err != nil:
				return err
			}
			if i%3 == 0 {
				o.Items[0].Qty += 100
				o.Labels["edited"] = "yes"
			}
			if err := s.Marshal(&o); err != nil {
				return err
			}
		}
	})
}
