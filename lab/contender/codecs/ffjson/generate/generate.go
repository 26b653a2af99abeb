//go:build ignore

// Package generate runs ffjson's generator, which works by reflection, inside the subject's
// package. The generator ends the process if it fails.
package generate

import (
	"os"
	"reflect"

	ffjson "github.com/pquerna/ffjson/inception"
	"github.com/pquerna/ffjson/shared"
)

// Run writes the methods of the types to the file.
func Run(pkg, file string, types []reflect.Type) {
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		panic(err)
	}
	g := ffjson.NewInception(file, pkg, file, false) // the output gets the file mode of the first argument
	for _, t := range types {
		g.Add(shared.InceptionType{Obj: reflect.Zero(t).Interface()})
	}
	g.Execute()
}
