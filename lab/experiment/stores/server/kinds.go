package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// kind is what is particular to a kind of server. Servers run with their own defaults, which is
// what most users run, and no server keeps the data: quit ends it without saving.
type kind struct {
	program string   // name for messages
	pack    string   // Debian's package
	find    []string // programs that must be installed
	// launch prepares l.dir and returns the server that will run on l.port, not started yet.
	launch func(ctx context.Context, l *launch) (*Server, error)
}

var kinds = map[string]kind{
	"redis":    {"redis-server", "redis-server", []string{"redis-server"}, launchRedis},
	"postgres": {"PostgreSQL", "postgresql", []string{"postgres", "initdb"}, launchPostgres},
	"mysql":    {"MariaDB", "mariadb-server", []string{"mariadbd", "mariadb-install-db"}, launchMariaDB},
}

// launchRedis prepares a cache that saves nothing. The server reads its configuration from standard
// input, so that nobody can read the password on disk or in the list of processes.
func launchRedis(_ context.Context, l *launch) (*Server, error) {
	cmd := l.command("redis-server", "-")
	cmd.Stdin = strings.NewReader(fmt.Sprintf("bind 127.0.0.1\nport %d\nrequirepass %s\nsave \"\"\nappendonly no\n", l.port, l.password))
	return &Server{URL: fmt.Sprintf("redis://:%s@127.0.0.1:%d/0", l.password, l.port), cmd: cmd,
		said: tail{wanted: "Ready to accept connections"}, quit: os.Kill}, nil
}

// launchPostgres makes a cluster with initdb's defaults. By default every commit waits for the
// disk. SIGQUIT is the signal at which the server ends without saving.
func launchPostgres(ctx context.Context, l *launch) (*Server, error) {
	password, err := l.write("password", l.password+"\n")
	if err != nil {
		return nil, err
	}
	data := filepath.Join(l.dir, "data")
	if err := l.run(ctx, "initdb", "-D", data, "-U", "zmylab", "--pwfile", password, "-A", "scram-sha-256",
		"-E", "UTF8", "--no-locale", "--no-sync"); err != nil {
		return nil, err
	}
	return &Server{URL: fmt.Sprintf("postgres://zmylab:%s@127.0.0.1:%d/postgres?sslmode=disable", l.password, l.port),
		cmd: l.command("postgres", "-D", data, "-c", "listen_addresses=127.0.0.1", "-c", "port="+strconv.Itoa(l.port),
			"-c", "unix_socket_directories="),
		said: tail{wanted: "database system is ready to accept connections"}, quit: syscall.SIGQUIT}, nil
}

// launchMariaDB makes a data folder with the server's built-in defaults and ignores the settings in
// /etc. By default every commit waits for the disk.
func launchMariaDB(ctx context.Context, l *launch) (*Server, error) {
	data := filepath.Join(l.dir, "data")
	if err := l.run(ctx, "mariadb-install-db", "--no-defaults", "--datadir="+data, "--skip-test-db",
		"--auth-root-authentication-method=normal"); err != nil {
		return nil, err
	}
	begin, err := l.write("begin.sql", fmt.Sprintf("ALTER USER root@localhost IDENTIFIED BY '%s';\nCREATE DATABASE zmylab;\n"+
		"CREATE USER zmylab@'127.0.0.1' IDENTIFIED BY '%[1]s';\nGRANT ALL ON zmylab.* TO zmylab@'127.0.0.1';\n", l.password))
	if err != nil {
		return nil, err
	}
	return &Server{URL: fmt.Sprintf("zmylab:%s@tcp(127.0.0.1:%d)/zmylab", l.password, l.port),
		cmd: l.command("mariadbd", "--no-defaults", "--datadir="+data, "--bind-address=127.0.0.1", "--port="+strconv.Itoa(l.port),
			"--socket=socket", "--pid-file="+filepath.Join(l.dir, "pid"), "--skip-name-resolve", "--init-file="+begin),
		said: tail{wanted: "ready for connections"}, quit: os.Kill}, nil
}
