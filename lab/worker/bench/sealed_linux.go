package bench

import (
	"reflect"
	"syscall"
)

// seal copies messages into pages and makes these read-only. The addresses stay mapped until the
// process ends, since decoded values may point to them. If a system call fails, or the messages
// take more than sealMost bytes, seal returns the messages themselves and nil.
func seal(wire [][]byte) ([][]byte, *sealed) {
	size := roomOf(wire)
	if size > sealMost {
		return wire, nil
	}
	mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return wire, nil
	}
	out := lay(mem, wire)
	if err := syscall.Mprotect(mem, syscall.PROT_READ); err != nil {
		return wire, nil
	}
	from := reflect.ValueOf(mem).Pointer()
	return out, &sealed{from, from + uintptr(len(mem)), func() { _ = syscall.Madvise(mem, syscall.MADV_DONTNEED) }}
}
