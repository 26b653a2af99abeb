//go:build ignore

package pb

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"time"
)

// ZZToValue stores in m, by its kind, the value that *v holds. It returns an error for values
// without a form in message Value, such as structs.
func ZZToValue(m *Value, v *any) error {
	switch x := (*v).(type) {
	case nil:
		m.Kind = &Value_Null{Null: true}
	case bool:
		m.Kind = &Value_BoolValue{BoolValue: x}
	case int:
		m.Kind = &Value_IntValue{IntValue: int64(x)}
	case int64:
		m.Kind = &Value_IntValue{IntValue: x}
	case float64:
		m.Kind = &Value_DoubleValue{DoubleValue: x}
	case float32:
		m.Kind = &Value_FloatValue{FloatValue: x}
	case string:
		m.Kind = &Value_StringValue{StringValue: x}
	case []byte:
		m.Kind = &Value_BytesValue{BytesValue: x}
	case time.Time:
		t := new(Timestamp)
		m.Kind = &Value_TimeValue{TimeValue: t}
		return ZZToTimestamp(t, &x)
	case time.Duration:
		m.Kind = &Value_DurationValue{DurationValue: int64(x)}
	case *big.Int:
		if x == nil {
			break
		}
		b := new(BigInt)
		m.Kind = &Value_BigInt{BigInt: b}
		return ZZToBigInt(b, x)
	case *big.Float:
		if x == nil {
			break
		}
		b := new(BigFloat)
		m.Kind = &Value_BigFloat{BigFloat: b}
		return ZZToBigFloat(b, x)
	case json.RawMessage:
		m.Kind = &Value_RawJson{RawJson: x}
	case json.Number:
		m.Kind = &Value_NumberValue{NumberValue: string(x)}
	case []any:
		l := new(ListValue)
		m.Kind = &Value_ListValue{ListValue: l}
		return zzToList(l, x)
	case map[string]any:
		mm := new(MapValue)
		m.Kind = &Value_MapValue{MapValue: mm}
		return zzToMap(mm, x)
	default:
		return zzReflect(m, reflect.ValueOf(x))
	}
	return nil
}

func zzToList(m *ListValue, v []any) error {
	m.Items = make([]*Value, len(v))
	slab := make([]Value, len(v))
	for i := range v {
		m.Items[i] = &slab[i]
		if err := ZZToValue(&slab[i], &v[i]); err != nil {
			return err
		}
	}
	return nil
}

func zzToMap(m *MapValue, v map[string]any) error {
	m.Entries = make(map[string]*Value, len(v))
	for k, x := range v {
		y := new(Value)
		if err := ZZToValue(y, &x); err != nil {
			return fmt.Errorf("[%q]: %w", k, err)
		}
		m.Entries[k] = y
	}
	return nil
}

// zzReflect handles types that are rare in interfaces.
func zzReflect(m *Value, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		m.Kind = &Value_BoolValue{BoolValue: v.Bool()}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		m.Kind = &Value_IntValue{IntValue: v.Int()}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if u := v.Uint(); u > math.MaxInt64 {
			m.Kind = &Value_UintValue{UintValue: u}
		} else {
			m.Kind = &Value_IntValue{IntValue: int64(u)}
		}
	case reflect.Float32, reflect.Float64:
		m.Kind = &Value_DoubleValue{DoubleValue: v.Float()}
	case reflect.String:
		m.Kind = &Value_StringValue{StringValue: v.String()}
	case reflect.Slice, reflect.Array:
		l, items := new(ListValue), make([]any, v.Len())
		m.Kind = &Value_ListValue{ListValue: l}
		for i := range items {
			items[i] = v.Index(i).Interface()
		}
		return zzToList(l, items)
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String {
			return fmt.Errorf("protobuf: message Value has no arm for %s", v.Type())
		}
		mm, entries := new(MapValue), make(map[string]any, v.Len())
		m.Kind = &Value_MapValue{MapValue: mm}
		for k, x := range v.Seq2() {
			entries[k.String()] = x.Interface()
		}
		return zzToMap(mm, entries)
	case reflect.Pointer:
		if v.IsNil() {
			m.Kind = &Value_Null{Null: true}
			return nil
		}
		x := v.Elem().Interface()
		return ZZToValue(m, &x)
	default:
		return fmt.Errorf("protobuf: message Value has no arm for %s", v.Type())
	}
	return nil
}

// ZZFromValue stores the content of m in *v. Integers become int, or uint64 if they exceed the
// range of int64.
func ZZFromValue(v *any, m *Value) error {
	*v = nil
	switch x := m.GetKind().(type) {
	case *Value_BoolValue:
		*v = x.BoolValue
	case *Value_IntValue:
		*v = int(x.IntValue)
	case *Value_UintValue:
		*v = x.UintValue
	case *Value_DoubleValue:
		*v = x.DoubleValue
	case *Value_FloatValue:
		*v = x.FloatValue
	case *Value_StringValue:
		*v = x.StringValue
	case *Value_BytesValue:
		*v = x.BytesValue
	case *Value_TimeValue:
		var t time.Time
		err := ZZFromTimestamp(&t, x.TimeValue)
		*v = t
		return err
	case *Value_DurationValue:
		*v = time.Duration(x.DurationValue)
	case *Value_BigInt:
		b := new(big.Int)
		*v = b
		return ZZFromBigInt(b, x.BigInt)
	case *Value_BigFloat:
		b := new(big.Float)
		*v = b
		return ZZFromBigFloat(b, x.BigFloat)
	case *Value_RawJson:
		*v = json.RawMessage(x.RawJson)
	case *Value_NumberValue:
		*v = json.Number(x.NumberValue)
	case *Value_ListValue:
		l := make([]any, len(x.ListValue.GetItems()))
		*v = l
		for i, item := range x.ListValue.GetItems() {
			if err := ZZFromValue(&l[i], item); err != nil {
				return err
			}
		}
	case *Value_MapValue:
		mm := make(map[string]any, len(x.MapValue.GetEntries()))
		*v = mm
		for k, item := range x.MapValue.GetEntries() {
			var y any
			if err := ZZFromValue(&y, item); err != nil {
				return err
			}
			mm[k] = y
		}
	}
	return nil
}
