//go:build unix

// SAFETY: the strings alias memory that is mapped until the test ends and does not change.
package jsonwire

import (
	"bytes"
	"syscall"
	"testing"
	"unsafe"
)

// TestPageEnd puts strings before the end of the memory that may be read, and
// behind its beginning.
func TestPageEnd(t *testing.T) {
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(m)
	for _, guard := range [][]byte{m[:page], m[2*page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	room := m[page : 2*page]
	copy(room, bytes.Repeat([]byte(`text "x" `), page))
	for n := 1; n < 200; n++ {
		for _, at := range []int{0, page - n} {
			b := room[at : at+n]
			s := unsafe.String(&b[0], n)
			checkQuote(t, s)
			Prefix(s)
		}
	}
}
