package harness

import (
	"debug/elf"
	"debug/macho"
)

// loaded returns the bytes of a program that are mapped into memory from its file: machine code,
// constants, initialised data and the runtime's tables, without symbols and debugging information.
// It returns 0 if the file is neither ELF nor Mach-O.
func loaded(path string) int64 {
	var n uint64
	if f, err := elf.Open(path); err == nil {
		for _, p := range f.Progs {
			if p.Type == elf.PT_LOAD {
				n += p.Filesz
			}
		}
		_ = f.Close() // it was only read
	} else if f, err := macho.Open(path); err == nil {
		for _, l := range f.Loads {
			if s, ok := l.(*macho.Segment); ok && s.Name != "__LINKEDIT" && s.Name != "__DWARF" {
				n += s.Filesz
			}
		}
		_ = f.Close()
	}
	return int64(n)
}
