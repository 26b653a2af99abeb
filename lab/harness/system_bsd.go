//go:build unix && !linux

package harness

import "syscall"

// procAttr puts a process into its own process group, so that Ctrl-C reaches only the coordinator.
// When the coordinator dies, workers exit because their pipe closes.
func procAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
