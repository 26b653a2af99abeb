//go:build purego || !(amd64 || arm64 || riscv64 || loong64 || ppc64le || mips64le)

package wire

// memory returns nil: this machine is not known to store numbers in memory as the format does.
func memory[E Integer | Float]([]E, int) []byte { return nil }

func elements[E Integer | Float]([]byte, int, int) []E { return nil }
