//go:build unix && !linux

package server

import "syscall"

func orphan(*syscall.SysProcAttr) {}
