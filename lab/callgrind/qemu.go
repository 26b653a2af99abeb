package callgrind

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// plugin counts the instructions that qemu executes, and writes them in callgrind's form to the
// file that the environment names.
//
//go:embed plugin/insn.c
var plugin []byte

// countsTo is the environment variable with the path of that file.
const countsTo = "INSN_OUT"

// emulators are the names of qemu's programs by GOARCH.
var emulators = map[string]string{"arm64": "qemu-aarch64"}

// FindEmulator returns qemu's emulator of a processor that GOARCH names, which counts instructions
// of workers that are built for it. It compiles the plugin that counts into dir. The error says how
// to install what is missing.
func FindEmulator(ctx context.Context, arch, dir string) (*Tool, error) {
	name, ok := emulators[arch]
	if !ok {
		return nil, fmt.Errorf("no emulator is known for GOARCH=%s: choose arm64", arch)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s is not installed (Debian: apt install qemu-user)", name)
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		return nil, errors.New("cc is not installed, which compiles the plugin that counts (Debian: apt install gcc)")
	}
	source, object := filepath.Join(dir, "insn.c"), filepath.Join(dir, "insn.so")
	if err := os.WriteFile(source, plugin, 0o644); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, cc, "-O2", "-shared", "-fPIC", "-o", object, source).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile the plugin of qemu: %w\n%s", err, out)
	}
	return &Tool{Path: path, plugin: object}, nil
}

// Emulates reports whether the tool runs programs of another processor: then they run under its
// Path also where nothing is counted.
func (g *Tool) Emulates() bool { return g.plugin != "" }
