package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/internal/zmyreflect"
)

// structType describes a struct by its fields.
func (d *describer) structType(key typeKey, t reflect.Type) (uint32, error) {
	i := d.add(key, Struct)
	d.s.Types[i].Name, _, _ = strings.Cut(t.Name(), "[") // without type arguments
	carried := carriedFields(t)
	if len(carried) == 0 && t.NumField() > 0 {
		return i, fmt.Errorf("%v has no fields that are carried", t)
	}
	sparse, fields, err := directives(t)
	if err != nil {
		return i, err
	}
	d.s.Types[i].Sparse = sparse
	for _, c := range carried {
		f := Field{Name: c.f.Name, JSON: jsonName(c.f), Embedded: isEmbedded(c.f)}
		if err := c.options(&f); err != nil {
			return i, fmt.Errorf("%v.%s: %w", t, c.f.Name, err)
		}
		fields = append(fields, numberedField{Field: f, carried: c})
	}
	// Types are numbered in the order of field numbers.
	slices.SortStableFunc(fields, func(a, b numberedField) int { return int(a.Number) - int(b.Number) })
	var sorted []Field
	for _, f := range fields {
		f.Type, err = d.fieldType(f)
		if err != nil {
			return i, fmt.Errorf("%v.%s: %w", t, f.Name, err)
		}
		sorted = append(sorted, f.Field)
	}
	d.s.Types[i].Fields = sorted
	return i, nil
}

// numberedField is a field of a struct before its type has been described.
type numberedField struct {
	Field
	carried *carriedField // nil for one that is reserved
	gone    Type          // of that
}

func (d *describer) fieldType(f numberedField) (uint32, error) {
	if f.carried != nil {
		return d.field(f.carried, f.Inline)
	}
	d.s.Types = append(d.s.Types, f.gone)
	return uint32(len(d.s.Types) - 1), nil
}

// field describes the type of a field in the form that its tag asks for.
func (d *describer) field(c *carriedField, inline bool) (uint32, error) {
	form := d.time
	d.time = c.time
	defer func() { d.time = form }()
	switch key := (typeKey{t: c.f.Type, inline: true, time: Time}); {
	case c.json:
		key := typeKey{t: c.f.Type, json: true, time: Time}
		if i, ok := d.seen[key]; ok {
			return i, nil
		}
		return d.add(key, JSON), nil
	case c.nilable:
		return d.nilable(c.f.Type)
	case inline:
		if i, ok := d.seen[key]; ok {
			return i, nil
		}
		return d.structType(key, c.f.Type)
	}
	return d.typ(c.f.Type)
}

// carriedField is a Go field that is part of messages.
type carriedField struct {
	f       reflect.StructField
	tag     string
	number  int // by declaration, where no field has a tag
	derived bool
	nilable bool
	json    bool // carried as JSON
	time    Kind
}

func carriedFields(t reflect.Type) (out []*carriedField) {
	derived := true
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("zmy")
		if f.Name == "_" {
			continue
		}
		derived = derived && (!ok || tag == "-")
		embedded := f.Anonymous && f.Type.Kind() == reflect.Struct
		if tag != "-" && !isUnknown(f.Type) && (f.IsExported() || ok || embedded) {
			out = append(out, &carriedField{f: f, tag: tag, time: Time})
		}
	}
	if !derived {
		return out
	}
	// As the generator derives them: what JSON leaves out is left out, what has no form of
	// its own is carried as JSON.
	out = slices.DeleteFunc(out, func(c *carriedField) (left bool) {
		c.json, left = zmyreflect.LastResort(t, c.f)
		return left
	})
	for i, c := range out {
		c.derived, c.number = true, i
	}
	return out
}

// options reads the struct tag.
func (c *carriedField) options(f *Field) error {
	if c.derived {
		f.Number = uint32(c.number)
		return nil
	}
	number, opts, _ := strings.Cut(c.tag, ",")
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return fmt.Errorf(`no field number in struct tag zmy:%q; use struct tag "-" to skip`, c.tag)
	}
	f.Number = uint32(n)
	for opt := range strings.SplitSeq(opts, ",") {
		switch k := c.f.Type.Kind(); opt {
		case "":
		case "deprecated":
			f.Deprecated = true
		case "nilable":
			if k != reflect.Slice && k != reflect.Map {
				return fmt.Errorf("option nilable is for slices and maps, not for %v", c.f.Type)
			}
			c.nilable = true
		case "inline":
			if k != reflect.Struct {
				return fmt.Errorf("option inline is for structs, not for %v", c.f.Type)
			}
			f.Inline = true
		case "zone":
			c.time = TimeZone
		case "unixnano":
			c.time = TimeUnixNano
		default:
			return fmt.Errorf("struct tag zmy option %q is not supported by this version", opt)
		}
	}
	return nil
}

// jsonName is the name in struct tag json where it is not the Go name.
func jsonName(f reflect.StructField) string {
	tag := f.Tag.Get("json")
	name, _, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-" || !f.IsExported() && !f.Anonymous:
		return "-"
	case name == f.Name:
		return ""
	}
	return name
}

func isEmbedded(f reflect.StructField) bool {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct && name == ""
}
