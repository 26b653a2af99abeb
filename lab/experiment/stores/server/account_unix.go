//go:build unix

package server

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is who runs a server; nil is who runs this program.
type account struct{ uid, gid int }

// servant is who is to run servers: PostgreSQL and MariaDB refuse root, so root has nobody
// run them.
func servant() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("root may not run it and there is no user nobody: %w", err)
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return nil, err
	}
	return &account{uid, gid}, nil
}

// own gives a file or folder to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// attr has a process run by the account, in a group of its own: Ctrl-C reaches who has
// started it first.
func (a *account) attr() *syscall.SysProcAttr {
	out := &syscall.SysProcAttr{Setpgid: true}
	orphan(out)
	if a != nil {
		out.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return out
}
