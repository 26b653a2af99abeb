//go:build purego || !(amd64 || arm64 || riscv64 || loong64 || ppc64le || mips64le)

package wire

// memory returns nil: this machine is not known to store numbers in memory as the format does.
func memory[E Integer | Float]([]E, int) []byte { return nil }

func elements[E Integer | Float]([]byte, int, int) []E { return nil }

// roughBytes is the length from which cloneBytes may be faster than make and copy.
const roughBytes = 1 << 20

// move copies src to dst, which has the same length.
func move(dst, src []byte) { copy(dst, src) }

func cloneBytes(b []byte) []byte { return append([]byte(nil), b...) }

// cloneElements is never called, because elements returns nil here.
func cloneElements[E Integer | Float](own []E, _ int) []E { return own }
