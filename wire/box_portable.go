//go:build purego || !(amd64 || arm64 || loong64 || ppc64le)

package wire

// This file is the portable twin of box_unsafe.go.

func (d *Decoder) makeBoxes(int) {}

func (d *Decoder) boxString(s string) any { return s }
func (d *Decoder) boxFloat(f float64) any { return f }
func (d *Decoder) boxInt(v int) any       { return v }
