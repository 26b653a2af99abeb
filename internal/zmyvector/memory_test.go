package zmyvector

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmyreflect"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dynamic"
)

// TestMemory holds what decoding takes against the budget: two bytes for each unit and
// four for each byte of the message, and 64 KiB, at the least budget that accepts the message.
// Messages are lists and maps of many small values in every field of every type.
func TestMemory(t *testing.T) {
	n := 0
	check := func(name string, read reading, b []byte) {
		t.Helper()
		used, err := memory(func(o zmy.UnmarshalOptions) func() error { return read(b, o) }, len(b))
		if err != nil {
			t.Errorf("%s, %d bytes: %v", name, len(b), err)
		}
		if used {
			n++
		}
	}
	all := readings(t)
	r := rand.New(rand.NewPCG(31, 8))
	for _, reader := range Readers() {
		for i := range 2 * reflect.TypeOf(reader.New()).Elem().NumField() {
			m := reader.New()
			field := reflect.ValueOf(m).Elem().Field(i / 2)
			if !field.CanSet() {
				continue
			}
			swell{r, 300 + r.IntN(2000), i%2 == 0}.set(field, 3, false)
			b, err := m.AppendZMYOptions(nil, zmy.MarshalOptions{MaxWire: 64 << 20})
			if err != nil {
				t.Fatal(reader.Name, err)
			}
			name := reader.Name + "." + reflect.TypeOf(m).Elem().Field(i/2).Name
			for how, read := range all[reader.Name] {
				check(name+", "+how, read, b)
			}
		}
	}
	if n < 300 {
		t.Error("only", n, "messages were measured")
	}
}

// reading is one way to read a message, into memory that it makes before it returns.
type reading func(b []byte, o zmy.UnmarshalOptions) func() error

// readings are the ways to read each type: by generated code, by reflection where
// that knows the type, and by the schema alone.
func readings(t *testing.T) map[string]map[string]reading {
	all := map[string]map[string]reading{}
	for _, r := range Readers() {
		typ := reflect.TypeOf(r.New()).Elem()
		all[r.Name] = map[string]reading{"generated": func(b []byte, o zmy.UnmarshalOptions) func() error {
			v := r.New()
			return func() error { return v.UnmarshalZMYOptions(b, o) }
		}}
		generated := func(t reflect.Type) bool { _, ok := reflect.New(t).Interface().(Message); return ok }
		if p, err := zmyreflect.Compile(typ, generated, func(reflect.Type) bool { return false }); err == nil {
			all[r.Name]["reflected"] = func(b []byte, o zmy.UnmarshalOptions) func() error {
				v := r.New()
				return func() error {
					d, left, failed := o.Decoder(len(b))
					if failed == nil {
						failed = p.Decode(&d, b, v, left)
					}
					return zmy.Decoded(r.Name, failed)
				}
			}
		}
		if s, err := schema.Of(typ); err == nil {
			c, err := dynamic.New(s)
			if err != nil {
				t.Fatal(err)
			}
			all[r.Name]["dynamic"] = func(b []byte, o zmy.UnmarshalOptions) func() error {
				return func() error { _, err := c.DecodeOptions(b, o); return err }
			}
		}
	}
	return all
}

// memory finds the least budget under which a message of n bytes is read, and
// measures what that takes. It reports false for a message that no budget accepts.
func memory(read func(zmy.UnmarshalOptions) func() error, n int) (accepted bool, err error) {
	o := zmy.UnmarshalOptions{MaxWire: math.MaxInt32, Budget: 1 << 40}
	if read(o)() != nil {
		return false, nil
	}
	low, high := int64(0), int64(64) // refused, perhaps accepted
	for o.Budget = high; read(o)() != nil; o.Budget = high {
		low, high = high, 8*high
	}
	for low+1+high/64 < high {
		if o.Budget = (low + high) / 2; read(o)() == nil {
			high = o.Budget
		} else {
			low = o.Budget
		}
	}
	o.Budget = high
	const slack = 64 << 10
	most := 2*uint64(high+2*int64(n)) + slack
	used := uint64(math.MaxUint64)
	for try := 0; try < 5 && used > most; try++ { // what other goroutines take meanwhile is counted too
		run := read(o)
		used = allocated(func() { err = run() })
	}
	if err == nil && used > most {
		err = fmt.Errorf("takes %d bytes of memory at a budget of %d: %.2f for each unit beside %d of the message", used, high,
			float64(used-4*uint64(n)-slack)/float64(high), 4*n+slack)
	}
	return true, err
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// swell sets values whose lists and maps have n small elements each.
type swell struct {
	r    *rand.Rand
	n    int
	zero bool // most elements are zero
}

func (s swell) set(v reflect.Value, depth int, elem bool) {
	if elem && s.zero && v.Kind() != reflect.Pointer && s.r.IntN(8) > 0 {
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(1e9, 0).In(time.FixedZone("", s.r.IntN(7000)))
		return
	case *big.Int:
		p.SetBytes(make([]byte, 1)).SetBit(p, s.r.IntN(200), 1)
		return
	case *big.Float:
		p.SetPrec(64).SetInt64(int64(s.r.IntN(5)))
		return
	case *any:
		if depth > 0 {
			*p = s.any(depth)
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(int8(s.r.Int())))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(uint8(s.r.Int())))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(1)
	case reflect.String:
		v.SetString(fmt.Sprint(s.r.IntN(1000)))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.set(v.Field(i), depth, false)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			s.set(v.Index(i), depth-1, false)
		}
	default:
		if depth > 0 {
			s.grow(v, depth)
		}
	}
}

// grow makes what has elements.
func (s swell) grow(v reflect.Value, depth int) {
	n := s.n
	if depth < 3 {
		n = 1 + s.r.IntN(3)
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte("1"))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			s.set(v.Index(i), depth-1, true)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range n {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			s.set(k, 0, false)
			s.set(e, depth-1, true)
			v.SetMapIndex(k, e)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		s.set(v.Elem(), depth-1, true)
	case reflect.Interface:
		v.Set(reflect.ValueOf([]Actor{Robot{Serial: 1}, Robot{}, Ghost{}, &Human{}, ActorUnknown{Disc: 99}}[s.r.IntN(5)]))
	}
}

// any is a list or a map of values of some kind.
func (s swell) any(depth int) any {
	one := func() any {
		switch s.r.IntN(16) {
		case 0:
			return map[string]any{}
		case 1:
			return map[string]string{"1": ""}
		case 2:
			return []string{""}
		case 3:
			return time.Unix(1, 0).UTC()
		case 4:
			return zmy.Decimal{Scale: 1, Unscaled: new(big.Int).Lsh(big.NewInt(1), uint(s.r.IntN(130)))}
		case 5:
			return new(big.Int).Lsh(big.NewInt(1), uint(s.r.IntN(130)))
		case 6:
			return new(big.Float).SetPrec(64).SetInt64(5)
		case 7:
			return zmy.RawStruct{ID: 1}
		case 8:
			return zmy.RawAny{Kind: 99}
		case 9:
			return []time.Time{time.Unix(1, 0).UTC()}
		case 10:
			return complex(1, 1)
		case 11:
			return []int16{1}
		case 12:
			return []any{true}
		case 13:
			return map[string]any{"1": nil}
		case 14:
			return 300
		}
		return "1"
	}
	same := one()
	mixed := s.r.IntN(2) == 0
	list := make([]any, 200)
	m := map[string]any{}
	for i := range list {
		if mixed {
			same = one()
		}
		list[i], m[fmt.Sprint(i)] = same, same
	}
	if s.r.IntN(2) == 0 {
		return list
	}
	return m
}
