package protobuf

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
	"github.com/zmylab/zmy/lab/contender/internal/protomsg"
)

// TestRoundTrip takes kinds of types through the codec, some through each row: the conversions are
// the family's. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	labtest.RoundTrips(t, Info, map[string][]string{
		"kinds All":    {"normalised S.Bytes empty → nil"},
		"kinds Opaque": nil,
	})
	labtest.RoundTrips(t, NativeInfo, map[string][]string{"kinds Odd": nil})
}

func TestPlan(t *testing.T) {
	labtest.Refusals(t, Info, map[string]string{
		"kinds Wrong": `skipped: Wrong.Done has type chan bool, which has no form in proto3 | odd.go:64 |  | leave it out with ` +
			`struct tag json:"-"`,
	})
}

// TestVariants takes types through the changed schemas: what was written comes back by way
// of the plain messages.
func TestVariants(t *testing.T) {
	for _, name := range []string{"deterministic", "wrapper", "fixed", "unpacked"} {
		labtest.RoundTrips(t, infoOf(t, name), map[string][]string{"kinds All": {"normalised S.Bytes empty → nil"}})
	}
	for _, name := range []string{"opaque", "lazy", "lazy-opened"} {
		labtest.RoundTrips(t, infoOf(t, name), map[string][]string{"kinds All": {"normalised S.Bytes empty → nil"},
			"examples/order-lite Order": {"normalised Items[…].Attrs empty → nil"}})
	}
	for _, name := range []string{"optional", "unchecked"} {
		labtest.RoundTrips(t, infoOf(t, name), map[string][]string{"kinds Pointers": nil})
	}
}

func infoOf(t *testing.T, variant string) contender.Info {
	t.Helper()
	for _, v := range Variants() {
		if v.Info.Name == "protobuf-"+variant {
			return v.Info
		}
	}
	t.Fatalf("no variant %s", variant)
	return contender.Info{}
}

// TestVariantFields: each variant changes what it says, nothing else, and says so where
// there is nothing to change.
func TestVariantFields(t *testing.T) {
	target := labtest.Target(t, "examples/order-lite Order")
	type change struct {
		typ      descriptorpb.FieldDescriptorProto_Type
		name     string // of the message, for one
		presence bool
		checked  bool // for UTF-8
	}
	const (
		i32 = descriptorpb.FieldDescriptorProto_TYPE_INT32
		str = descriptorpb.FieldDescriptorProto_TYPE_STRING
		msg = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
	)
	for name, want := range map[string]struct {
		fields int
		id     change // Order.id
		qty    change // Item.qty
	}{
		"deterministic": {1, change{str, "", false, true}, change{i32, "", false, false}},
		"unchecked":     {3, change{str, "", false, false}, change{i32, "", false, false}},
		"optional":      {5, change{str, "", true, true}, change{i32, "", true, false}},
		"wrapper":       {5, change{msg, "StringValue", true, false}, change{msg, "Int32Value", true, false}},
		"zigzag":        {1, change{str, "", false, true}, change{descriptorpb.FieldDescriptorProto_TYPE_SINT32, "", false, false}},
		"opaque":        {8, change{str, "", false, true}, change{i32, "", false, false}},
		"lazy":          {2, change{str, "", false, true}, change{i32, "", false, false}},
		"fixed":         {1, change{str, "", false, true}, change{descriptorpb.FieldDescriptorProto_TYPE_SFIXED32, "", false, false}},
	} {
		var v *Variant
		for i := range variants {
			if variants[i].row == name {
				v = &variants[i]
			}
		}
		if n := v.Fields(target); n != want.fields || v.plan(target) != nil {
			t.Errorf("%s changes %d fields, want %d; %+v", name, n, want.fields, v.plan(target))
		}
		done, root, err := v.compile(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		read := func(message, field string) change {
			for _, m := range done.File.Messages {
				if string(m.Desc.Name()) != message {
					continue
				}
				for _, f := range m.Fields {
					if string(f.Desc.Name()) == field {
						c := change{typ: descriptorpb.FieldDescriptorProto_Type(f.Desc.Kind()), presence: f.Desc.HasPresence()}
						if u, ok := f.Desc.(interface{ EnforceUTF8() bool }); ok {
							c.checked = c.typ == str && u.EnforceUTF8()
						}
						if f.Message != nil {
							c.name = string(f.Message.Desc.Name())
						}
						return c
					}
				}
			}
			t.Fatalf("%s: no field %s.%s", name, message, field)
			return change{}
		}
		if id, qty := read(root, "id"), read("Item", "qty"); id != want.id || qty != want.qty {
			t.Errorf("%s: id %+v, qty %+v; want %+v, %+v", name, id, qty, want.id, want.qty)
		}
		if at := read("Timestamp", "seconds"); at.typ != descriptorpb.FieldDescriptorProto_TYPE_INT64 {
			t.Errorf("%s changes Timestamp: %+v", name, at)
		}
	}
	if got, want := labtest.WhyText(infoOf(t, "unpacked").Plan(target)),
		"skipped: Order has no list of numbers |  | there is nothing to change | "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestOpaque: the generator was told of the opaque API and of lazy fields.
func TestOpaque(t *testing.T) {
	target := labtest.Target(t, "examples/order-lite Order")
	for name, want := range map[string]struct{ hidden, lazy bool }{"opaque": {true, false}, "lazy": {true, true},
		"lazy-opened": {true, true}, "optional": {}} {
		var text strings.Builder
		for i := range variants {
			if variants[i].row != name {
				continue
			}
			done, _, err := variants[i].compile(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			files, err := done.Generate(protomsg.ProtocGenGo)
			if err != nil {
				t.Fatal(err)
			}
			for _, src := range files {
				text.Write(src)
			}
		}
		hidden, lazy := strings.Contains(text.String(), "xxx_hidden_Items "), strings.Contains(text.String(), "XXX_lazyUnmarshalInfo ")
		if hidden != want.hidden || lazy != want.lazy {
			t.Errorf("%s: fields hidden %v, lazy %v; want %+v", name, hidden, lazy, want)
		}
	}
}
