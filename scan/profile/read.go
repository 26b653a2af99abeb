package profile

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Limits on profiles. A profile of a large service has a few MiB.
const mostBytes = 256 << 20 // as it is sent or stored

var mostUnzipped int64 = 1 << 30 // a test lowers it

// patience is how long a server may take to answer, beside the time for which it measures.
const patience = 30 * time.Second

// defaultSeconds is how long net/http/pprof measures if neither the user nor the URL says it.
const defaultSeconds = 30

// DefaultName is the file that the go command takes for profile-guided optimization, in the folder of a
// command.
const DefaultName = "default.pgo"

// Defaults returns the files default.pgo in the folders of commands.
func Defaults(mains []string) (files []string) {
	for _, dir := range mains {
		name := filepath.Join(dir, DefaultName)
		if s, err := os.Stat(name); err == nil && s.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	return files
}

// Read reads a profile from a file or an http URL. If there is no usable profile, the error is a *Error.
func Read(ctx context.Context, source string, kind Kind) (*Profile, error) {
	var data []byte
	var err error
	if strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://") {
		data, err = download(ctx, source, kind)
	} else {
		data, err = readFile(source, kind)
	}
	if err != nil {
		return nil, err
	}
	return Parse(data, source, kind)
}

func readFile(name string, kind Kind) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, refuse(name, "it cannot be read: "+reason(err), howToTake(kind))
	}
	defer f.Close()
	data, err := limited(f, mostBytes)
	if err != nil {
		return nil, refuse(name, "it cannot be read: "+reason(err), howToTake(kind))
	}
	return data, nil
}

// reason returns an error without the path, which the caller names.
func reason(err error) string {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// errLarge is the error of limited.
var errLarge = errors.New("it is larger than any profile")

func limited(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errLarge
	}
	return data, err
}

// Endpoint returns the URL that hands out a profile, and how long the server measures before it answers.
// A URL of net/http/pprof without a path, or with its index's, is completed.
func Endpoint(source string, kind Kind) (*url.URL, time.Duration, error) {
	u, err := url.Parse(source)
	if err != nil || u.Host == "" {
		return nil, 0, refuse(source, "it is not a URL", "such as http://localhost:6060/debug/pprof/profile?seconds=30")
	}
	if p := strings.TrimSuffix(u.Path, "/"); p == "" || strings.HasSuffix(p, "/debug/pprof") {
		u.Path = strings.TrimSuffix(p, "/debug/pprof") + "/debug/pprof/" + map[Kind]string{CPU: "profile", Alloc: "allocs"}[kind]
	}
	q := u.Query()
	if kind == CPU && strings.HasSuffix(u.Path, "/debug/pprof/profile") && !q.Has("seconds") {
		q.Set("seconds", strconv.Itoa(defaultSeconds))
		u.RawQuery = q.Encode()
	}
	seconds, err := strconv.ParseFloat(q.Get("seconds"), 64)
	if q.Has("seconds") && (err != nil || !(seconds > 0 && seconds <= 3600)) {
		return nil, 0, refuse(source, "seconds="+q.Get("seconds")+" is not a number from 1 to 3600", "such as ?seconds=30")
	}
	return u, time.Duration(seconds * float64(time.Second)), nil
}

func download(ctx context.Context, source string, kind Kind) ([]byte, error) {
	u, measuring, err := Endpoint(source, kind)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, measuring+patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, refuse(source, err.Error(), "")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, refuse(source, fmt.Sprintf("no answer within %s", measuring+patience),
				"ask for fewer seconds, or save the profile to a file")
		}
		if context.Cause(ctx) == context.Canceled {
			return nil, ctx.Err()
		}
		return nil, refuse(source, short(err), "is the service running, and does it import net/http/pprof?")
	}
	defer resp.Body.Close()
	data, err := limited(resp.Body, mostBytes)
	if err != nil {
		return nil, refuse(source, "the answer was cut off: "+err.Error(), "")
	}
	if resp.StatusCode != http.StatusOK {
		line, _, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
		next := "look at it with curl"
		switch resp.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			next = "the service wants credentials: save the profile by curl to a file, and give that"
		case http.StatusNotFound:
			next = "net/http/pprof is at /debug/pprof/profile if the service imports it"
		}
		return nil, refuse(source, fmt.Sprintf("the server answered %s: %.100s", resp.Status, line), next)
	}
	return data, nil
}

// short returns the cause of an error of net/http, which repeats method and URL.
func short(err error) string {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}

// Parse parses a profile, which may be compressed by gzip. Errors name source.
func Parse(data []byte, source string, kind Kind) (*Profile, error) {
	if len(data) == 0 {
		return nil, refuse(source, "it is empty", "the program that wrote it may still be running: a CPU profile is written when it is stopped")
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = limited(z, mostUnzipped)
		}
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return nil, refuse(source, "the end of the file is missing (gzip: unexpected end)", "copy it again, or "+howToTake(kind))
		case err != nil:
			return nil, refuse(source, err.Error(), howToTake(kind))
		}
	}
	if text := bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 200)])); bytes.HasPrefix(text, []byte("<!doctype")) ||
		bytes.HasPrefix(text, []byte("<html")) {
		return nil, refuse(source, "it is a web page, not a profile",
			"name the address that downloads it: /debug/pprof/profile of net/http/pprof")
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, refuse(source, "it is not a pprof profile: "+err.Error(), howToTake(kind))
	}
	return convert(p, source, kind)
}
