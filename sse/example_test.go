package sse_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/zmylab/zmy/sse"
)

// A hub with one topic, and a client that has seen nothing yet but knows where the log begins.
func Example() {
	ctx := context.Background()
	hub, err := sse.Open(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(hub.Handler(sse.Topics("orders")))
	defer server.Close()
	defer hub.Close() // before the server, which waits for open responses

	id, err := hub.Publish(ctx, "orders", sse.Message{Type: "order", Data: []byte(`{"id":"A1"}`)})
	if err != nil {
		log.Fatal(err)
	}
	client := sse.Client{URL: server.URL, LastEventID: sse.ID{Epoch: id.Epoch}.String()}
	for e, err := range client.Events(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Type, string(e.Data))
		break
	}
	// Output: order {"id":"A1"}
}

// Serve works in any framework that has an http.ResponseWriter, and with any way of naming topics.
func ExampleHub_Serve() {
	hub, err := sse.Open(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer hub.Close()
	http.HandleFunc("GET /users/{id}/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://app.example.org")
		if err := hub.Serve(w, r, "news", "user/"+r.PathValue("id")); err != nil {
			log.Print(err)
		}
	})
}

// Whatever the data is, it arrives as one event.
func ExampleAppendEvent() {
	frame, err := sse.AppendEvent(nil, sse.Event{ID: "7", Type: "note", Data: []byte("two lines\rdata: evil")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(frame))
	// Output:
	// id: 7
	// event: note
	// data: two lines
	// data: data: evil
}

func ExampleReader() {
	r := sse.NewReader(strings.NewReader("id: 7\ndata: one\ndata: event\n\ndata: cut off\n"), 0, "")
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %s %q\n", e.ID, e.Type, e.Data)
	}
	fmt.Println("continue behind", r.LastID())
	// Output:
	// 7 message "one\nevent"
	// continue behind 7
}
