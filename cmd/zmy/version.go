package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// release returns the version at which this program was installed, or "" if it was built from a
// checkout.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !strings.HasPrefix(info.Main.Version, "v") || strings.Contains(info.Main.Version, "+dirty") {
		return ""
	}
	// A checkout has a pseudo-version, which other modules cannot require.
	if slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs" }) {
		return ""
	}
	return info.Main.Version
}

// tool returns the program's name and version for reports.
func tool() string {
	if v := release(); v != "" {
		return "zmy " + v
	}
	return "zmy (devel)"
}

func runVersion(_ context.Context, c *console, args []string) error {
	if len(args) > 0 {
		return misused("it takes no arguments")
	}
	_, err := fmt.Fprintf(c.stdout, "%s %s %s/%s\n", tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
