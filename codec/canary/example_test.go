package canary_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
)

// One codec in the registry, whose arm is chosen for each request.
func Example() {
	c, err := canary.New(codec.StdJSON{}, codec.FXJSON{}, canary.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { _ = c.Run(ctx) }() // judges, goes forward and back

	codecs := codec.NewRegistry(c.Routed())
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, err := codecs.ByMediaType("application/json")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		ctx := c.WithRequest(r.Context(), r.Header.Get(c.Header()), r.Header.Get("X-User"))
		fmt.Fprint(w, codec.WithContext(ctx, x).Name())
	})
	ask := func(header string) string {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("X-User", "ada")
		r.Header.Set("X-ZMY-ENV", header)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Body.String()
	}
	fmt.Println("idle:", ask(""), "and on request:", ask("canary"))
	for _, step := range []func(string) error{c.Promote, c.RollBack} {
		if err := step("an example"); err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(c.State().Phase)+":", ask(""), "and on request:", ask("canary"))
	}
	// Output:
	// idle: json and on request: fxjson
	// promoted: fxjson and on request: fxjson
	// rolled back: json and on request: json
}
