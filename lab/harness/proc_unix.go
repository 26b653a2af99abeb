//go:build unix && !linux

package harness

import "syscall"

// procAttr puts a process into a group of its own, so that Ctrl-C reaches the
// coordinator first. When the coordinator dies, workers see their pipe close.
func procAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
