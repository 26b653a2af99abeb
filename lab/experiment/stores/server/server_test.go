package server

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/harness"
)

// folder is one that whoever runs the servers can reach; those of the testing package cannot
// be passed by others.
func folder(t *testing.T) string {
	t.Helper()
	temp, err := harness.NewTemp("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := temp.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(temp.Dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return temp.Dir
}

var hostPort = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// TestStart: every kind of server answers on its port with a password of its own, is gone with
// its data when it is closed, and says how it ended when it was killed.
func TestStart(t *testing.T) {
	for name := range kinds {
		t.Run(name, func(t *testing.T) {
			if err := Installed(name); err != nil {
				t.Skip(err)
			}
			dir := folder(t)
			s, err := Start(t.Context(), name, dir)
			if err != nil {
				t.Fatal(err)
			}
			addr := hostPort.FindString(s.URL)
			c, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatalf("%s: %v", s.URL, err)
			}
			c.Close()
			if err := s.Died(); err != nil {
				t.Errorf("it runs, and yet: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if c, err := net.Dial("tcp", addr); err == nil {
				c.Close()
				t.Errorf("%s still answers", addr)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) > 1 || left[0].Name() != ".zmylab" {
				t.Errorf("left behind: %v, %v", left, err)
			}
			again, err := Start(t.Context(), name, dir)
			if err != nil {
				t.Fatal(err)
			}
			if again.URL == s.URL {
				t.Error("the password is the same again")
			}
			_ = again.cmd.Process.Kill() // as the system does where memory runs out
			<-again.ended
			if err := again.Died(); err == nil || !strings.Contains(err.Error(), "killed") {
				t.Errorf("killed: %v", err)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestStartFails: a server that cannot start says why, and what was begun is removed.
func TestStartFails(t *testing.T) {
	if _, err := Start(t.Context(), "oracle", t.TempDir()); err == nil {
		t.Error("a kind that there is not")
	}
	for name := range kinds {
		if Installed(name) != nil {
			continue
		}
		if _, err := Start(t.Context(), name, filepath.Join(t.TempDir(), "missing")); err == nil {
			t.Errorf("%s in a folder that is not there", name)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		dir := folder(t)
		if _, err := Start(ctx, name, dir); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after Ctrl-C: %v", name, err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
	t.Setenv("PATH", t.TempDir())
	defer func(old []string) { elsewhere = old }(elsewhere)
	elsewhere = nil
	for name, k := range kinds {
		var missing *Missing
		if _, err := Start(t.Context(), name, t.TempDir()); !errors.As(err, &missing) ||
			!strings.Contains(err.Error(), "apt-get install "+k.pack) {
			t.Errorf("%s that is not installed: %v", name, err)
		}
	}
}

// TestURLs: passwords need no escapes, wherever they are put.
func TestURLs(t *testing.T) {
	l := &launch{dir: t.TempDir(), port: 5, password: "ABC234", programs: map[string]string{"redis-server": "redis-server"}}
	got, err := launchRedis(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(got.URL)
	if p, _ := u.User.Password(); err != nil || p != "ABC234" || u.Host != "127.0.0.1:5" {
		t.Errorf("%s: %v", got.URL, err)
	}
}

// TestFind: the newest version, by number, then PATH, then where servers lie.
func TestFind(t *testing.T) {
	root := t.TempDir()
	program := func(parts ...string) string {
		name := filepath.Join(append([]string{root}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		return name
	}
	t.Setenv("PATH", filepath.Join(root, "path"))
	dirs := []string{filepath.Join(root, "pg", "*", "bin"), filepath.Join(root, "sbin")}
	if got := findIn(dirs, "postgres"); got != "" {
		t.Errorf("of nothing: %s", got)
	}
	sbin := program("sbin", "postgres")
	if got := findIn(dirs, "postgres"); got != sbin {
		t.Errorf("in sbin: %s", got)
	}
	path := program("path", "postgres")
	if got := findIn(dirs, "postgres"); got != path {
		t.Errorf("in PATH: %s", got)
	}
	program("pg", "9", "bin", "postgres")
	program("pg", "15", "bin", "postgres")
	newest := program("pg", "16", "bin", "postgres")
	if err := os.MkdirAll(filepath.Join(root, "pg", "17", "bin", "postgres"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := findIn(dirs, "postgres"); got != newest {
		t.Errorf("of several versions: %s", got)
	}
}
