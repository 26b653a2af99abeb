package promx_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/zmylab/zmy/adapters/promx"
	"github.com/zmylab/zmy/codec"
)

// A registry of codecs, observed, and its metrics under /metrics.
func Example() {
	var pool codec.Pool
	m, err := promx.New(promx.Options{Pools: map[string]*codec.Pool{"replies": &pool}})
	if err != nil {
		log.Fatal(err)
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(m)
	codecs := codec.NewRegistry(codec.FXJSON{}, codec.ZMY{})
	codecs.Observe(m)

	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /answer", func(w http.ResponseWriter, _ *http.Request) {
		c, err := codecs.Lookup("fxjson")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		b, err := codec.MarshalPooled(c, &pool, map[string]int{"answer": 42})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer b.Release()
		_, _ = w.Write(b.B)
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	fmt.Println(get(server.URL + "/answer"))
	for line := range strings.SplitSeq(get(server.URL+"/metrics"), "\n") {
		if strings.HasPrefix(line, "zmy_codec_size_bytes_sum") || strings.HasPrefix(line, "zmy_pool_gets_total") {
			fmt.Println(line)
		}
	}
	// Output:
	// {"answer":42}
	// zmy_codec_size_bytes_sum{codec="fxjson",op="marshal"} 13
	// zmy_pool_gets_total{pool="replies",result="hit"} 0
	// zmy_pool_gets_total{pool="replies",result="miss"} 1
}

func get(url string) string {
	resp, err := http.Get(url)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	return string(b)
}
