package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// call sends a JSON request to a server under load and decodes its JSON answer.
func call(ctx context.Context, method, url string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", method, url, err)
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%s %s is answered with %s: %.200s", method, url, resp.Status, bytes.TrimSpace(text))
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s is answered with something else than was asked for: %w", method, url, err)
	}
	return nil
}

// ProcessUsage returns a function that reads the usage of a process on this machine. It fails where
// that is unknown.
func ProcessUsage(pid int) func(context.Context) (Usage, error) {
	return func(context.Context) (Usage, error) {
		cpu, ok1 := cpuTime(pid)
		rss, ok2 := residentSize(pid)
		if !ok1 || !ok2 {
			return Usage{}, fmt.Errorf("processor time and memory of process %d are not known", pid)
		}
		return Usage{cpu, rss}, nil
	}
}

// MetricsUsage returns a function that reads a server's usage from its metrics, in Prometheus' text
// format.
func MetricsUsage(url string) func(context.Context) (Usage, error) {
	return func(ctx context.Context) (Usage, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return Usage{}, err
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return Usage{}, err
		}
		defer resp.Body.Close()
		return readMetrics(resp.Body)
	}
}

// readMetrics reads the metrics of the process collector of Prometheus' client.
func readMetrics(r io.Reader) (u Usage, err error) {
	found := 0
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			continue
		}
		switch name {
		case "process_cpu_seconds_total":
			u.CPU, found = time.Duration(v*float64(time.Second)), found+1
		case "process_resident_memory_bytes":
			u.RSS, found = int64(v), found+1
		}
	}
	if lines.Err() == nil && found < 2 {
		return Usage{}, errors.New("the server's metrics have no process_cpu_seconds_total and process_resident_memory_bytes")
	}
	return u, lines.Err()
}

// sseClass is like class, for streams. A stream may also end because the server ended it.
func sseClass(err error) string {
	var other *notStream
	if errors.As(err, &other) {
		status, _, _ := strings.Cut(other.status, " ")
		if status == "200" {
			return "no stream"
		}
		return status
	}
	if err == io.EOF {
		return "ended"
	}
	return class(err)
}
