//go:build !linux

package cpu

func counters() string { return "only Linux's are known here" }
