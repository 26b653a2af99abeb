//go:build ignore

// Package generate runs easyjson's generator inside the subject's package.
package generate

import (
	"fmt"
	"os"
	"reflect"

	"github.com/mailru/easyjson/gen"
)

// Run writes the generated code for T into the file.
func Run[T any](pkgName, file string) {
	if err := write[T](pkgName, file); err != nil {
		fmt.Fprintln(os.Stderr, "easyjson:", err)
		os.Exit(1)
	}
}

func write[T any](pkgName, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	// The generator always prints its header to os.Stdout.
	stdout := os.Stdout
	os.Stdout = f
	defer func() { os.Stdout = stdout }()
	g := gen.NewGenerator(file)
	g.SetPkg(pkgName, reflect.TypeFor[T]().PkgPath())
	g.NoStdMarshalers()
	g.Add((*T)(nil))
	if err := g.Run(f); err != nil {
		return err
	}
	return f.Close()
}
