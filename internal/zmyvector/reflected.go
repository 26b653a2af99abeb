package zmyvector

import (
	"reflect"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/internal/zmyreflect"
)

// Reflected returns an Implementation that reads by reflection. Some types need generated code,
// those with unions for example. For these the outcome is that of the model. known has the names of
// the readers that reflection can read.
func Reflected() (run Implementation, known map[string]bool) {
	plans, known := map[string]*zmyreflect.Plan{}, map[string]bool{}
	generated := func(t reflect.Type) bool {
		_, ok := reflect.New(t).Interface().(Message)
		return ok && t.Kind() == reflect.Struct
	}
	for _, r := range Readers() {
		if p, err := zmyreflect.Compile(reflect.TypeOf(r.New()).Elem(), generated, func(reflect.Type) bool { return false }); err == nil {
			plans[r.Name], known[r.Name] = p, true
		}
	}
	return func(reader string, b []byte, l zmymodel.Limits) (Outcome, error) {
		p := plans[reader]
		if p == nil {
			return Model(reader, b, l)
		}
		r, _ := Find(reader)
		v := r.New()
		d, left, failed := Options(l).Decoder(len(b))
		if failed == nil {
			failed = p.Decode(&d, b, v, left)
		}
		if f := Wire(zmy.Decoded(reader, failed)); f != nil {
			return Outcome{Code: f.Code, At: f.Offset, Path: f.Path}, nil
		}
		e, left := zmy.MarshalOptions{MaxWire: 1 << 30, MaxDepth: l.MaxDepth}.Encoder(nil)
		again, failed := p.Append(&e, nil, v, left)
		again, err := zmy.Encoded(reader, &e, nil, again, failed)
		spell := func() string { return r.Type.Spell(r.Value(v)) }
		return Outcome{Code: "ok", Fields: spell, Reencode: again}, err
	}, known
}
