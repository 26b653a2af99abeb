package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/patience"
)

// playing is the variable of the environment that has this test be another program: a "service"
// that ignores what asks it to end, or a "parent" that starts one.
const playing = "ZMY_TEST_PLAYING"

func TestMain(m *testing.M) {
	switch os.Getenv(playing) {
	case "":
		os.Exit(m.Run())
	case "service":
		stubborn()
	case "parent":
		os.Setenv(playing, "service")
		s, err := StartSelf(context.Background(), os.Args[0])
		if err != nil {
			panic(err)
		}
		fmt.Println(s.URL)
		select {}
	}
}

// stubborn is a service that takes connections and ends only when it is killed.
func stubborn() {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("tcp://%s\n", l.Addr())
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		defer c.Close()
	}
}

// TestSelfStubborn: a service that does not end when it is asked to is killed.
func TestSelfStubborn(t *testing.T) {
	t.Setenv(playing, "service")
	s, err := StartSelf(t.Context(), os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if s.grace != 5*time.Second {
		t.Errorf("it may take %s", s.grace)
	}
	s.grace = 10 * time.Millisecond
	var exit *exec.ExitError
	if err := s.Stop(); !errors.As(err, &exit) || exit.Success() {
		t.Errorf("%v, want that it was killed", err)
	}
}

// TestSelfOrphan: a service ends with a parent that was killed, even one that ignores everything.
func TestSelfOrphan(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the kernel of this system does not kill orphans")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), playing+"=parent")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", strings.TrimPrefix(strings.TrimSpace(line), "tcp://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := c.SetReadDeadline(time.Now().Add(patience.For(time.Minute))); err != nil { // for it to be gone, not for how soon
		t.Fatal(err)
	}
	if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the service lives on")
	}
}
