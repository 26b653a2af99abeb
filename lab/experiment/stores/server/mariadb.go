package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// launchMariaDB makes a data folder with the server's built-in defaults and ignores the settings in
// /etc. By default every commit waits for the disk.
func launchMariaDB(ctx context.Context, l *launch) (*started, error) {
	data := filepath.Join(l.dir, "data")
	if err := l.run(ctx, l.programs["mariadb-install-db"], "--no-defaults", "--datadir="+data, "--skip-test-db",
		"--auth-root-authentication-method=normal"); err != nil {
		return nil, err
	}
	begin, err := l.write("begin.sql", fmt.Sprintf("ALTER USER root@localhost IDENTIFIED BY '%s';\nCREATE DATABASE zmylab;\n"+
		"CREATE USER zmylab@'127.0.0.1' IDENTIFIED BY '%[1]s';\nGRANT ALL ON zmylab.* TO zmylab@'127.0.0.1';\n", l.password))
	if err != nil {
		return nil, err
	}
	cmd := l.command(l.programs["mariadbd"], "--no-defaults", "--datadir="+data, "--bind-address=127.0.0.1", "--port="+strconv.Itoa(l.port),
		"--socket=socket", "--pid-file="+filepath.Join(l.dir, "pid"), "--skip-name-resolve", "--init-file="+begin)
	return &started{cmd: cmd, url: fmt.Sprintf("zmylab:%s@tcp(127.0.0.1:%d)/zmylab", l.password, l.port),
		ready: "ready for connections", quit: os.Kill}, nil
}
