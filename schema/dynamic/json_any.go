package dynamic

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
)

// Marks of lossless JSON. A value of type any for which JSON has no type is an object with one
// member, whose name is a mark. If a map in the message has only one key and it begins with $, the
// map is marked with $map.
const (
	markMap     = "$map"
	markFloat64 = "$float64"
	markStruct  = "$struct"
	markRaw     = "$raw"
)

// markedType is what is under a mark: a Go type, and the kind of the value or, for a slice, of its
// elements. The kind is 0 for values that the parser reads by their mark.
type markedType struct {
	kind schema.Kind
	typ  reflect.Type
}

var markedTypes = map[string]markedType{
	markFloat64:   {schema.Float64, reflect.TypeFor[float64]()},
	"$bytes":      {schema.Bytes, reflect.TypeFor[[]byte]()},
	"$json":       {0, reflect.TypeFor[json.RawMessage]()},
	"$number":     {schema.String, reflect.TypeFor[json.Number]()},
	"$time":       {schema.Time, reflect.TypeFor[time.Time]()},
	"$duration":   {schema.Duration, reflect.TypeFor[time.Duration]()},
	"$bigint":     {schema.BigInt, reflect.TypeFor[*big.Int]()},
	"$bigfloat":   {schema.BigFloat, reflect.TypeFor[*big.Float]()},
	"$decimal":    {0, reflect.TypeFor[zmy.Decimal]()},
	"$float32":    {schema.Float32, reflect.TypeFor[float32]()},
	"$complex64":  {schema.Complex64, reflect.TypeFor[complex64]()},
	"$complex128": {schema.Complex128, reflect.TypeFor[complex128]()},
	"$bools":      {schema.Bool, reflect.TypeFor[[]bool]()},
	"$int8s":      {schema.Int8, reflect.TypeFor[[]int8]()},
	"$int16s":     {schema.Int16, reflect.TypeFor[[]int16]()},
	"$int32s":     {schema.Int32, reflect.TypeFor[[]int32]()},
	"$int64s":     {schema.Int64, reflect.TypeFor[[]int64]()},
	"$uint16s":    {schema.Uint16, reflect.TypeFor[[]uint16]()},
	"$uint32s":    {schema.Uint32, reflect.TypeFor[[]uint32]()},
	"$uint64s":    {schema.Uint64, reflect.TypeFor[[]uint64]()},
	"$float32s":   {schema.Float32, reflect.TypeFor[[]float32]()},
	"$float64s":   {schema.Float64, reflect.TypeFor[[]float64]()},
	"$times":      {schema.Time, reflect.TypeFor[[]time.Time]()},
	"$durations":  {schema.Duration, reflect.TypeFor[[]time.Duration]()},
	"$strings":    {schema.String, reflect.TypeFor[[]string]()},
	"$stringmap":  {0, reflect.TypeFor[map[string]string]()},
}

// marks has the mark of each Go type.
var marks = func() map[reflect.Type]string {
	m := map[reflect.Type]string{reflect.TypeFor[[]int](): "$int64s"} // []int64 has this mark too
	for mark, t := range markedTypes {
		m[t.typ] = mark
	}
	return m
}()

// any writes a value of type any.
func (p *printer) any(v any) {
	if !p.ok(32) {
		return
	}
	switch v := v.(type) {
	case nil:
		p.write("null")
		return
	case int:
		p.b = strconv.AppendInt(p.b, int64(v), 10)
		return
	case bool, string, int64, uint64:
		p.plain(v)
		return
	case float64:
		p.anyFloat(v)
		return
	case []any:
		p.anyList(v)
		return
	case map[string]any:
		p.anyMap(v)
		return
	}
	if !p.lossless {
		p.unmarked(v)
		return
	}
	mark := marks[reflect.TypeOf(v)]
	switch v := v.(type) {
	case json.RawMessage: // there are two marks for it, and a nil one needs a mark too
		if v == nil {
			v = json.RawMessage{}
		}
		if standsAlone(v) {
			p.write(`{"$json":`)
			p.text(string(v))
			p.write("}")
			return
		}
		p.raw(v)
		return
	case zmy.RawStruct:
		mark = markStruct
	case zmy.RawAny:
		mark = markRaw
	}
	if mark == "" {
		p.wrong(v, "a value of type any")
		return
	}
	p.write("{")
	p.member(mark, true)
	p.unmarked(v)
	p.write("}")
}

func (p *printer) anyFloat(f float64) {
	special := math.IsNaN(f) || math.IsInf(f, 0)
	if !p.lossless || special {
		if p.lossless { // it is written as a string, and without a mark it would be read as one
			p.write(`{"` + markFloat64 + `":`)
			defer p.write("}")
		}
		p.plain(f)
		return
	}
	at := len(p.b)
	p.plain(f)
	for _, c := range p.b[at:] {
		if c == '.' || c == 'e' {
			return
		}
	}
	p.write(".0") // without it, it would be read as an integer
}

func (p *printer) anyList(l []any) {
	p.array(len(l), func(i int) { p.any(l[i]) })
}

func (p *printer) anyMap(m map[string]any) {
	keys := slices.Sorted(maps.Keys(m))
	marked := p.lossless && len(keys) == 1 && len(keys[0]) > 0 && keys[0][0] == '$'
	if marked {
		p.write(`{"` + markMap + `":`)
	}
	p.b = append(p.b, '{')
	for i, k := range keys {
		p.member(k, i == 0)
		if p.any(m[k]); p.err != nil {
			return
		}
	}
	p.b = append(p.b, '}')
	if marked {
		p.write("}")
	}
}

// unmarked writes a value of any other type, without a mark.
func (p *printer) unmarked(v any) {
	switch v := v.(type) {
	case json.Number:
		if p.lossless {
			p.text(string(v))
		} else {
			p.raw([]byte(v))
		}
	case []byte: // inside any it is never nil
		p.base64(v)
	case zmy.Decimal:
		p.decimal(v)
	case zmy.RawStruct:
		p.b = fmt.Appendf(p.b, `{"lineage":"%016x","data":`, v.ID)
		p.base64(v.Data)
		p.write("}")
	case zmy.RawAny:
		p.b = fmt.Appendf(p.b, `{"kind":%d,"data":`, v.Kind)
		p.base64(v.Data)
		p.write("}")
	case map[string]string:
		m := make(map[string]any, len(v))
		for k, s := range v {
			m[k] = s
		}
		lossless := p.lossless
		p.lossless = false // its strings need no marks
		p.anyMap(m)
		p.lossless = lossless
	default:
		if !p.plain(v) {
			p.slice(reflect.ValueOf(v))
		}
	}
}

// decimal writes a number. In the lossless form it is a string, since readers of JSON numbers drop
// the scale.
func (p *printer) decimal(v zmy.Decimal) {
	n := v.Unscaled // has at most 4,096 bytes
	if n == nil {
		n = new(big.Int)
	}
	if p.lossless {
		p.write(`"`)
	}
	p.b = strconv.AppendInt(append(n.Append(p.b, 10), 'e'), -int64(v.Scale), 10)
	if p.lossless {
		p.write(`"`)
	}
}

// slice writes a slice of scalars, times or strings.
func (p *printer) slice(v reflect.Value) {
	if v.Kind() != reflect.Slice {
		p.wrong(v.Interface(), "a value of type any")
		return
	}
	p.array(v.Len(), func(i int) {
		switch x := v.Index(i); {
		case !p.ok(32):
		case x.CanInt():
			p.b = strconv.AppendInt(p.b, x.Int(), 10)
		case x.CanUint():
			p.b = strconv.AppendUint(p.b, x.Uint(), 10)
		default:
			p.plain(x.Interface())
		}
	})
}
