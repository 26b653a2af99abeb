package values

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
)

// freight has a place of each kind whose lengths, widths and depths have limits.
type freight struct {
	Count  int64
	Size   uint32
	Level  *int32
	At     time.Time
	Lines  []pallet
	Stops  []*pallet
	Scores []int64
	Flags  []bool
	Labels map[string]string
	ByID   map[int64]pallet
	Data   []byte
	Meta   any
	Weight json.Number
	Peer   netip.Addr
	Link   url.URL
	First  *crate
}

type crate struct {
	Name string
	Next *crate
}

func (c *crate) depth() (n int) {
	for ; c != nil; c = c.Next {
		n++
	}
	return n
}

type pallet struct {
	Name string
	Qty  int
	Tags []string
}

// changed is a deep copy of v; each part of it was given to mistake, those within it first.
func changed(v reflect.Value, mistake func(v reflect.Value)) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			break
		}
		x := changed(v.Elem(), mistake)
		if v.Kind() == reflect.Pointer {
			x = x.Addr()
		}
		c.Set(x)
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			c.Index(i).Set(changed(v.Index(i), mistake))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		c.Set(reflect.MakeMap(v.Type()))
		for it := v.MapRange(); it.Next(); {
			c.SetMapIndex(changed(it.Key(), mistake), changed(it.Value(), mistake))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !isWhole(v.Type()) && c.Field(i).CanSet() {
				c.Field(i).Set(changed(v.Field(i), mistake))
			}
		}
	}
	mistake(c)
	return c
}

func isList(v reflect.Value) bool { return v.Kind() == reflect.Slice && !isBytes(v.Type()) }

// cutList and cutMap count in fewer bits than there are elements.
func cutList(kind reflect.Kind, bits int) func(v reflect.Value) {
	return func(v reflect.Value) {
		if isList(v) && v.Type().Elem().Kind() == kind {
			v.SetLen(v.Len() & (1<<bits - 1))
		}
	}
}

func cutMap(v reflect.Value) {
	if v.Kind() == reflect.Map && v.Len() > 15 {
		for _, k := range v.MapKeys()[15:] {
			v.SetMapIndex(k, reflect.Value{})
		}
	}
}

// held is a mistake with what an interface holds.
func held(mistake func(x any) any) func(v reflect.Value) {
	return func(v reflect.Value) {
		if v.Kind() == reflect.Interface && !v.IsNil() {
			if x := mistake(v.Interface()); x != nil {
				v.Set(reflect.ValueOf(x))
			} else {
				v.SetZero()
			}
		}
	}
}

// mistakes of codecs that keep every ordinary value.
var mistakes = map[string]func(v reflect.Value){
	"lists of structs, 4 bits":  cutList(reflect.Struct, 4),
	"lists of structs, 8 bits":  cutList(reflect.Struct, 8),
	"lists of pointers, 8 bits": cutList(reflect.Pointer, 8),
	"lists of numbers, 16 bits": cutList(reflect.Int64, 16),
	"lists of 256": func(v reflect.Value) {
		if isList(v) && v.Len() == 256 {
			v.SetZero()
		}
	},
	"lists end in zeros": func(v reflect.Value) {
		if isList(v) {
			for i := 64; i < v.Len(); i++ {
				v.Index(i).SetZero()
			}
		}
	},
	"bits repeat": func(v reflect.Value) {
		if v.Type() == reflect.TypeFor[[]bool]() {
			for i := 16; i < v.Len(); i++ {
				v.Index(i).Set(v.Index(i % 8))
			}
		}
	},
	"maps have 15 entries": cutMap,
	"strings of 256": func(v reflect.Value) {
		if v.Kind() == reflect.String && v.Len() == 256 {
			v.SetZero()
		}
	},
	"bytes of 65,536": func(v reflect.Value) {
		if isBytes(v.Type()) && v.Len() == 1<<16 {
			v.SetZero()
		}
	},
	"8 bits have a sign": func(v reflect.Value) {
		if v.CanInt() && v.Int() >= 128 && v.Int() < 256 {
			v.SetInt(int64(int8(v.Int())))
		}
	},
	"32 bits have a sign": func(v reflect.Value) {
		if v.Kind() == reflect.Int64 && v.Int() >= 1<<31 && v.Int() < 1<<32 {
			v.SetInt(int64(int32(v.Int())))
		}
	},
	"unsigned 16 bits have a sign": func(v reflect.Value) {
		if v.CanUint() && v.Uint() > 1<<15 && v.Uint() < 1<<16 {
			v.SetUint(1)
		}
	},
	"-1 is nil": func(v reflect.Value) {
		if v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().CanInt() && v.Elem().Int() == -1 {
			v.SetZero()
		}
	},
	"numbers are floats": func(v reflect.Value) {
		if n, ok := v.Interface().(json.Number); ok && v.Kind() == reflect.String {
			if f, err := n.Float64(); err == nil {
				v.SetString(strconv.FormatFloat(f, 'f', -1, 64))
			}
		}
	},
	"addresses have no zone": func(v reflect.Value) {
		if a, ok := v.Interface().(netip.Addr); ok {
			v.Set(reflect.ValueOf(a.WithZone("")))
		}
	},
	"addresses of IPv4 are short": func(v reflect.Value) {
		if a, ok := v.Interface().(netip.Addr); ok {
			v.Set(reflect.ValueOf(a.Unmap()))
		}
	},
	"urls have no query": func(v reflect.Value) {
		if u, ok := v.Interface().(url.URL); ok {
			u.RawQuery = ""
			v.Set(reflect.ValueOf(u))
		}
	},
	"urls have no user": func(v reflect.Value) {
		if u, ok := v.Interface().(url.URL); ok {
			u.User = nil
			v.Set(reflect.ValueOf(u))
		}
	},
	"deep ones are cut": func(v reflect.Value) {
		if c, ok := v.Interface().(*crate); ok && c.depth() > 20 {
			v.SetZero()
		}
	},
	"the epoch is no time": func(v reflect.Value) {
		if t, ok := v.Interface().(time.Time); ok && t.UnixNano() == 0 && t.Year() == 1970 {
			v.SetZero()
		}
	},
	"integers in any are floats": held(func(x any) any {
		if n, ok := x.(int64); ok {
			return int64(float64(n))
		}
		return x
	}),
	"any has three integers": held(func(x any) any {
		switch x.(type) {
		case int8, int16, uint16, uint32:
			return nil
		}
		return x
	}),
	"any has short strings": held(func(x any) any {
		if s, ok := x.(string); ok && len(s) > 255 {
			return s[:len(s)&255]
		}
		return x
	}),
	"any has short maps": held(func(x any) any {
		if m, ok := x.(map[string]any); ok && len(m) > 15 {
			return map[string]any{}
		}
		return x
	}),
}

// TestCarelessCodecsOfParts: every mistake with a length, a width or a depth loses an extreme, and
// nothing of the value that has something in every place.
func TestCarelessCodecsOfParts(t *testing.T) {
	found := map[string]string{}
	try := func(c *Case[freight]) {
		for name, mistake := range mistakes {
			if found[name] == "" && fidelity.Compare(*c.Value, changed(reflect.ValueOf(*c.Value), mistake).Interface(), fidelity.Options{}) != nil {
				found[name] = c.Name
			}
		}
	}
	plain, err := Dense[freight]()
	if err != nil {
		t.Fatal(err)
	}
	if try(&Case[freight]{Name: "plain", Value: &plain}); len(found) > 0 {
		t.Fatalf("not every mistake keeps the plain value: %v", found)
	}
	collect(t, try)
	for name := range mistakes {
		if found[name] == "" {
			t.Errorf("a codec with the mistake %q keeps every extreme", name)
		}
	}
}
