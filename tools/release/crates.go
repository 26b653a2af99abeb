package release

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"

	"github.com/github/go-spdx/v2/spdxexp"
)

// Crates returns the licences of the crates of others that the workspace in dir uses, for its tests
// too, as cargo knows them.
func Crates(ctx context.Context, dir string) (all []Licence, err error) {
	cmd := exec.CommandContext(ctx, "cargo", "metadata", "--format-version=1", "--locked", "--all-features")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cargo metadata: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	var meta struct {
		Packages []struct {
			Name, Version, License string
			Source                 *string // nil for crates of the workspace
		}
	}
	if err := json.Unmarshal(out, &meta); err != nil {
		return nil, fmt.Errorf("cargo metadata: %w", err)
	}
	for _, p := range meta.Packages {
		if p.Source != nil {
			l := Licence{Path: p.Name, Version: p.Version, Names: []string{p.License}}
			l.Why = refusal(p.License)
			all = append(all, l)
		}
	}
	return all, nil
}

// refusal returns why a licence is not allowed, or "". expression is in the form of SPDX:
// "MIT OR Apache-2.0".
func refusal(expression string) string {
	if expression == "" {
		return "names no licence"
	}
	list := slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == googlePatents })
	switch ok, err := spdxexp.Satisfies(expression, list); {
	case err != nil:
		return fmt.Sprintf("has the licence %q: %v", expression, err)
	case !ok:
		return "has the licence " + expression + ", which is not on the list (tools/release/licences.go)"
	}
	return ""
}
