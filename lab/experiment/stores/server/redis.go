package server

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// launchRedis prepares a cache that saves nothing. The server reads its configuration from standard
// input, so that nobody can read the password on disk or in the list of processes.
func launchRedis(_ context.Context, l *launch) (*started, error) {
	cmd := l.command(l.programs["redis-server"], "-")
	cmd.Stdin = strings.NewReader(fmt.Sprintf("bind 127.0.0.1\nport %d\nrequirepass %s\nsave \"\"\nappendonly no\n", l.port, l.password))
	return &started{cmd: cmd, url: fmt.Sprintf("redis://:%s@127.0.0.1:%d/0", l.password, l.port),
		ready: "Ready to accept connections", quit: os.Kill}, nil
}
