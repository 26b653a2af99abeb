//go:build unix

package server

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that runs a server; nil is the user of this program.
type account struct{ uid, gid int }

// servant returns the account for servers. PostgreSQL and MariaDB refuse to run as root, so root
// runs them as nobody.
func servant() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("root may not run it and there is no user nobody: %w", err)
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	return &account{uid, gid}, errors.Join(err1, err2)
}

// closed returns a folder above a program that the account for servers may not pass, "" if there is none.
func closed(program string) string {
	if os.Geteuid() != 0 {
		return ""
	}
	for dir := filepath.Dir(program); ; dir = filepath.Dir(dir) {
		if st, err := os.Stat(dir); err == nil && st.Mode()&0o001 == 0 {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// own makes the account the owner of a file or folder.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// attr makes the account run a process, in a process group of its own. So Ctrl-C reaches this
// program and not the server, which Close ends.
func (a *account) attr() *syscall.SysProcAttr {
	out := &syscall.SysProcAttr{Setpgid: true}
	orphan(out)
	if a != nil {
		out.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return out
}
