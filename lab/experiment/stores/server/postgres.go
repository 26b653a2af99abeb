package server

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"syscall"
)

// launchPostgres makes a cluster with initdb's defaults. By default every commit waits for the
// disk.
func launchPostgres(ctx context.Context, l *launch) (*started, error) {
	password, err := l.write("password", l.password+"\n")
	if err != nil {
		return nil, err
	}
	data := filepath.Join(l.dir, "data")
	if err := l.run(ctx, l.programs["initdb"], "-D", data, "-U", "zmylab", "--pwfile", password, "-A", "scram-sha-256",
		"-E", "UTF8", "--no-locale", "--no-sync"); err != nil {
		return nil, err
	}
	cmd := l.command(l.programs["postgres"], "-D", data, "-c", "listen_addresses=127.0.0.1", "-c", "port="+strconv.Itoa(l.port),
		"-c", "unix_socket_directories=")
	return &started{cmd: cmd, url: fmt.Sprintf("postgres://zmylab:%s@127.0.0.1:%d/postgres?sslmode=disable", l.password, l.port),
		ready: "database system is ready to accept connections", quit: syscall.SIGQUIT}, nil
}
