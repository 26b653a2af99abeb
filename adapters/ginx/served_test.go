package ginx_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/zmylab/zmy/adapters/ginx"
	"github.com/zmylab/zmy/internal/cputime"
)

// BenchmarkSessionServed is what a request over loopback costs its server, net/http and the
// kernel's part of it included: the client is a process of its own.
func BenchmarkSessionServed(b *testing.B) {
	for _, c := range sessions() {
		b.Run(c.name, func(b *testing.B) {
			if c.fxjson {
				defer ginx.UseFXJSON()()
			}
			s := httptest.NewServer(c.h)
			defer s.Close()
			body := sample(b)
			cmd := exec.Command(os.Args[0], "-test.run=^TestClientProcess$")
			cmd.Env = append(os.Environ(), clientEnv+"="+s.Listener.Addr().String()+" "+strconv.Itoa(b.N)+" "+string(body))
			in, err := cmd.StdinPipe()
			if err != nil {
				b.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				b.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				b.Fatal(err)
			}
			says := bufio.NewScanner(stdout)
			hear := func(want string) {
				if !says.Scan() || says.Text() != want {
					b.Fatalf("the client says %q, want %q", says.Text(), want)
				}
			}
			hear("ready")
			b.ResetTimer()
			report := cputime.Report(b)
			if err := in.Close(); err != nil {
				b.Fatal(err)
			}
			hear("done")
			report()
			b.StopTimer()
			for says.Scan() { // what a test program says at its end
			}
			if err := cmd.Wait(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

const clientEnv = "ZMY_GINX_CLIENT" // address, number of requests, body

// TestClientProcess is the client; as a test of its own it does nothing.
func TestClientProcess(t *testing.T) {
	asked := os.Getenv(clientEnv)
	if asked == "" {
		t.Skip("not asked for by a benchmark")
	}
	addr, asked, _ := strings.Cut(asked, " ")
	count, body, _ := strings.Cut(asked, " ")
	n, err := strconv.Atoi(count)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	request := fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	answers := bufio.NewReader(conn)
	call := func() {
		if _, err := conn.Write(request); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.Copy(io.Discard, resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK || got < int64(len(body)-1) {
			t.Fatalf("%s, %d bytes of %d: %v", resp.Status, got, len(body), err)
		}
	}
	for range 100 { // the server's caches and pools
		call()
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is told to begin
	for range n {
		call()
	}
	fmt.Println("done")
}
