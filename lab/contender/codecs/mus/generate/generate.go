//go:build ignore

// Package generate runs musgen, which works by reflection, inside the subject's
// package.
package generate

import (
	"fmt"
	"os"
	"reflect"
	"time"

	musgen "github.com/mus-format/musgen-go/mus"
	genops "github.com/mus-format/musgen-go/options/generate"
	structops "github.com/mus-format/musgen-go/options/struct"
	typeops "github.com/mus-format/musgen-go/options/type"
)

// Run writes two files with serializers for the types to the working folder. The serializers in
// safe copy strings and bytes; those in alias use package unsafe to let them point into the input.
func Run(pkg string, types []reflect.Type, safe, alias string) {
	for prefix, file := range map[string]string{"ZZS": safe, "ZZA": alias} {
		if err := write(pkg, types, prefix, file); err != nil {
			fmt.Fprintln(os.Stderr, "musgen:", err)
			os.Exit(1)
		}
	}
}

func write(pkg string, types []reflect.Type, prefix, file string) error {
	mode := genops.WithNotUnsafe()
	if prefix == "ZZA" {
		mode = genops.WithUnsafe()
	}
	set := []genops.SetOption{genops.WithPkgPath(types[0].PkgPath()), genops.WithPackage(pkg), mode}
	imported := map[string]bool{}
	for i, t := range types {
		set = append(set, genops.WithSerName(t, fmt.Sprint(prefix, i)))
		if path := t.PkgPath(); path != types[0].PkgPath() && !imported[path] {
			imported[path] = true
			set = append(set, genops.WithImport(path))
		}
	}
	g, err := musgen.NewCodeGenerator(set...)
	if err != nil {
		return err
	}
	for _, t := range types {
		if t.Kind() == reflect.Struct {
			err = g.AddStruct(t, fields(t)...)
		} else {
			err = g.AddDefinedType(t, options(underlying(t))...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	code, err := g.Generate()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, code)
	}
	return os.WriteFile(file, code, 0o600)
}

// fields returns the options of each field. Fields that JSON leaves out are left out here too.
func fields(t reflect.Type) []structops.SetOption {
	var out []structops.SetOption
	for i := range t.NumField() {
		f := t.Field(i)
		own := f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct
		if tag, _ := f.Tag.Lookup("json"); tag == "-" || !own {
			out = append(out, structops.WithField(typeops.WithIgnore()))
			continue
		}
		out = append(out, structops.WithField(options(f.Type)...))
	}
	return out
}

var timeType = reflect.TypeFor[time.Time]()

// underlying returns the unnamed type with the same elements if t is a slice, an array or a map,
// else t. musgen's options for containers need it.
func underlying(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(t.Elem())
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), t.Elem())
	case reflect.Map:
		return reflect.MapOf(t.Key(), t.Elem())
	}
	return t
}

// options selects nanoseconds in UTC for times. An explicit length encoding makes musgen copy byte
// slices, even if it uses package unsafe for the rest.
func options(t reflect.Type) []typeops.SetOption {
	switch {
	case t == timeType:
		return []typeops.SetOption{typeops.WithTimeUnit(typeops.NanoUTC)}
	case t.PkgPath() != "":
		return nil
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == "" {
			return []typeops.SetOption{typeops.WithLenEncoding(typeops.VarintPositive)}
		}
		return elem(t.Elem())
	case reflect.Array, reflect.Pointer:
		return elem(t.Elem())
	case reflect.Map:
		out := elem(t.Elem())
		if k := options(t.Key()); k != nil {
			out = append(out, typeops.WithKey(k...))
		}
		return out
	}
	return nil
}

func elem(t reflect.Type) []typeops.SetOption {
	if o := options(t); o != nil {
		return []typeops.SetOption{typeops.WithElem(o...)}
	}
	return nil
}
