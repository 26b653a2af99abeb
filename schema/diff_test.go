package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/schema"
)

// message is the schema of a message T with these fields: "A 1, B ?2" are types
// by index into types, which start at 1.
func message(fields []schema.Field, types ...schema.Type) *schema.Schema {
	for i := range fields {
		if fields[i].Name == "" {
			fields[i].Name = string(rune('A' + fields[i].Number))
		}
	}
	return &schema.Schema{Types: append([]schema.Type{{Kind: schema.Struct, Name: "T", Fields: fields}}, types...)}
}

func field(t schema.Type) *schema.Schema { return message([]schema.Field{{Type: 1}}, t) }

func kind(k schema.Kind) *schema.Schema { return field(schema.Type{Kind: k}) }

func holding(t, elem schema.Type) *schema.Schema {
	t.Elem = 2
	return message([]schema.Field{{Type: 1}}, t, elem)
}

var (
	text   = schema.Type{Kind: schema.String}
	number = schema.Type{Kind: schema.Int32}
	two    = []schema.Field{{Type: 1}, {Number: 1, Type: 1}}
)

func union(arms ...schema.Field) *schema.Schema {
	for i := range arms {
		arms[i].Type = 2
	}
	return message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.Union, Name: "Shape", Fields: arms},
		schema.Type{Kind: schema.Struct, Name: "Arm"})
}

func enum(values ...schema.Value) *schema.Schema {
	return field(schema.Type{Kind: schema.Uint8, Name: "State", Values: values})
}

// fixtures has every code at least once: what was, what is, and what is said.
var fixtures = []struct {
	name          string
	before, after *schema.Schema
	want          string // codes and paths
}{
	{"same", message(two, text), message(two, text), ""},

	{"append", message(two[:1], text), message(two, text), "FIELD_ADDED T.B"},
	{"append to the elements of a list", list(1), list(2), "FIELD_ADDED T.A[].B"},
	{"rename", field(text), message([]schema.Field{{Type: 1, Name: "Z"}}, text), "FIELD_RENAMED T.Z, JSON_NAME_CHANGED T.Z"},
	{"rename, same in JSON", message([]schema.Field{{Type: 1, Name: "Y", JSON: "a"}}, text),
		message([]schema.Field{{Type: 1, Name: "Z", JSON: "a"}}, text), "FIELD_RENAMED T.Z"},
	{"JSON name", field(text), message([]schema.Field{{Type: 1, JSON: "a"}}, text), "JSON_NAME_CHANGED T.A"},
	{"deprecate", field(text), message([]schema.Field{{Type: 1, Deprecated: true}}, text), "FIELD_DEPRECATED T.A"},
	{"reserve", field(text), message([]schema.Field{{Type: 1, Reserved: true, Name: "-"}}, text), "FIELD_RESERVED T.-"},
	{"reserve, in words", kind(schema.Int64), message([]schema.Field{{Type: 1, Reserved: true}},
		schema.Type{Kind: schema.Reserved, Name: "int64", Len: 8}), "FIELD_RESERVED T.A"},
	{"reserve, of another size", kind(schema.Int64), message([]schema.Field{{Type: 1, Reserved: true}},
		schema.Type{Kind: schema.Reserved, Name: "int32", Len: 4}), "FIELD_RESERVED T.A, FIELD_TYPE_CHANGED T.A"},
	{"reserve as a tail", kind(schema.Int64), message([]schema.Field{{Type: 1, Reserved: true}},
		schema.Type{Kind: schema.Reserved, Name: "string"}), "FIELD_RESERVED T.A, FIELD_SECTION_MOVED T.A"},
	{"take a reserved field back", message([]schema.Field{{Type: 1, Reserved: true}}, text), field(text), ""},
	{"type renamed", field(text), named(field(text), "U"), "TYPE_RENAMED U"},
	{"type deprecated", field(text), deprecated(field(text)), "TYPE_DEPRECATED T"},
	{"limit raised", field(text), limits(1<<20, 0, 65), "LIMIT_RAISED T, LIMIT_RAISED T"},
	{"arm added", union(arm(1, "Circle")), union(arm(1, "Circle"), arm(2, "Square")), "UNION_ARM_ADDED T.A.Square"},
	{"arm renamed", union(arm(1, "Circle")), union(arm(1, "Disc")), "FIELD_RENAMED T.A.Disc"},
	{"value renamed", enum(schema.Value{Name: "On"}, schema.Value{Name: "Off", Number: 1}),
		enum(schema.Value{Name: "Started"}, schema.Value{Name: "Off", Number: 1}), "ENUM_VALUE_RENAMED T.A"},
	{"value added", enum(schema.Value{Name: "On"}), enum(schema.Value{Name: "On"}, schema.Value{Name: "Off", Number: 1}),
		"ENUM_VALUE_ADDED T.A"},

	{"deleted", message(two, text), message(slices.Clone(two[:1]), text), "FIELD_DELETED T.B"},
	{"deleted in the middle", message(two, text), message(slices.Clone(two[1:]), text), "FIELD_DELETED T.A"},
	{"arm deleted", union(arm(1, "Circle"), arm(2, "Square")), union(arm(1, "Circle")), "FIELD_DELETED T.A.Square"},
	{"reused", message([]schema.Field{{Type: 1, Reserved: true, Name: "Old"}}, text),
		message([]schema.Field{{Type: 1, Name: "New"}}, text), "TAG_REUSED T.New"},
	{"another field", field(text), message([]schema.Field{{Type: 1, Name: "Z"}}, number), "TAG_REUSED T.Z"},
	{"swapped", message(two, text), message([]schema.Field{{Type: 1, Name: "B"}, {Number: 1, Type: 1, Name: "A"}}, text),
		"TAG_REUSED T.B, TAG_REUSED T.A"},
	{"gap", field(text), message([]schema.Field{{Type: 1}, {Number: 2, Type: 1}}, text), "TAG_GAP T.C"},
	{"type", kind(schema.Int32), kind(schema.Int64), "FIELD_TYPE_CHANGED T.A"},
	{"type of the same width", kind(schema.Int32), kind(schema.Uint32), "FIELD_TYPE_CHANGED T.A"},
	{"type of the same bytes", kind(schema.Duration), kind(schema.Int64), "FIELD_TYPE_CHANGED T.A"},
	{"type of elements", holding(schema.Type{Kind: schema.List}, number),
		holding(schema.Type{Kind: schema.List}, schema.Type{Kind: schema.Int16}), "FIELD_TYPE_CHANGED T.A[]"},
	{"type of values", message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.Map, Key: 2, Elem: 2}, text),
		message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.Map, Key: 2, Elem: 3}, text, schema.Type{Kind: schema.Any}),
		"FIELD_TYPE_CHANGED T.A[]"},
	{"to a pointer", kind(schema.Int32), holding(schema.Type{Kind: schema.Opt}, number), "FIELD_SECTION_MOVED T.A"},
	{"scalar to string", kind(schema.Int32), kind(schema.String), "FIELD_SECTION_MOVED T.A"},
	{"array grown past the scalars", holding(schema.Type{Kind: schema.Array, Len: 63}, number),
		holding(schema.Type{Kind: schema.Array, Len: 64}, number), "ARRAY_LEN T.A"},
	{"inline", inline(false, 1), inline(true, 1), "INLINE_CHANGED T.A"},
	{"inline swapped", inlineFields("X", "Y"), inlineFields("Y", "X"), "TAG_REUSED T.A.Y, TAG_REUSED T.A.X"},
	{"inline renamed", inlineFields("X", "Y"), inlineFields("X", "Z"), "FIELD_RENAMED T.A.Z, JSON_NAME_CHANGED T.A.Z"},
	{"value of keys changed", enumKeys(0), enumKeys(1), "ENUM_VALUE_CHANGED T.A[key]"},
	{"inline grown", inline(true, 1), inline(true, 2), "INLINE_CHANGED T.A"},
	{"sparse", field(text), sparse(field(text)), "LAYOUT_CHANGED T"},
	{"unixnano", kind(schema.Time), kind(schema.TimeUnixNano), "LAYOUT_CHANGED T.A"},
	{"zone", kind(schema.Time), kind(schema.TimeZone), "LAYOUT_CHANGED T.A"},
	{"nilable", kind(schema.Bytes), holding(schema.Type{Kind: schema.Opt}, schema.Type{Kind: schema.Bytes}), "LAYOUT_CHANGED T.A"},
	{"pointer to struct", holding(schema.Type{Kind: schema.Opt}, schema.Type{Kind: schema.Struct}),
		field(schema.Type{Kind: schema.Struct}), "LAYOUT_CHANGED T.A"},
	{"set to map", set(0), set(1), "LAYOUT_CHANGED T.A"},
	{"first field", message(nil), field(text), "LAYOUT_CHANGED T, FIELD_ADDED T.A"},
	{"lineage", lineage(1), lineage(2), "LINEAGE_CHANGED T.A"},
	{"lineage written down", lineage(0), lineage(2), ""},
	{"array length", holding(schema.Type{Kind: schema.Array, Len: 3}, text), holding(schema.Type{Kind: schema.Array, Len: 4}, text),
		"ARRAY_LEN T.A"},
	{"map key", message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.Map, Key: 2, Elem: 2}, number),
		message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.Map, Key: 3, Elem: 2}, number, text), "MAP_KEY T.A"},
	{"arm renumbered", union(arm(1, "Circle"), arm(2, "Square")), union(arm(1, "Square"), arm(2, "Circle")),
		"UNION_ARM_RENUMBERED T.A.Circle, UNION_ARM_RENUMBERED T.A.Square"},
	{"arm inserted", union(arm(1, "Circle")), union(arm(1, "Square"), arm(2, "Circle")), "UNION_ARM_RENUMBERED T.A.Circle"},
	{"value changed", enum(schema.Value{Name: "On"}), enum(schema.Value{Name: "On", Number: 1}), "ENUM_VALUE_CHANGED T.A"},
	{"value gone", enum(schema.Value{Name: "On"}, schema.Value{Name: "Off", Number: 1}), enum(schema.Value{Name: "On"}),
		"ENUM_VALUE_CHANGED T.A"},
	{"UTF-8", kind(schema.String), kind(schema.Bytes), "UTF8_CHANGED T.A"},
	{"UTF-8 of JSON", kind(schema.JSON), kind(schema.String), "UTF8_CHANGED T.A"},
	{"undeprecated", deprecated(field(text)), field(text), "UNDEPRECATED_TYPE T"},
	{"invalid", field(text), kind(99), "INVALID_SCHEMA "},
	{"limit lowered", field(text), limits(1000, 1<<10, 0), "LIMIT_LOWERED T, LIMIT_LOWERED T"},
}

func list(n int) *schema.Schema {
	return message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.List, Elem: 2}, elem(n), text)
}

// elem is a struct of n fields of type 3.
func elem(n int) schema.Type {
	t := schema.Type{Kind: schema.Struct, Name: "Elem"}
	for i := range uint32(n) {
		t.Fields = append(t.Fields, schema.Field{Number: i, Type: 3, Name: string(rune('A' + i))})
	}
	return t
}

func set(n int) *schema.Schema {
	return message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.Map, Key: 3, Elem: 2}, elem(n), text)
}

func inline(on bool, n int) *schema.Schema {
	return message([]schema.Field{{Type: 2, Inline: on}}, text, elem(n), number)
}

func inlineFields(a, b string) *schema.Schema {
	point := schema.Type{Kind: schema.Struct, Fields: []schema.Field{{Type: 2, Name: a}, {Number: 1, Type: 2, Name: b}}}
	return message([]schema.Field{{Type: 1, Inline: true}}, point, number)
}

func enumKeys(on int64) *schema.Schema {
	keys := schema.Type{Kind: schema.Uint8, Values: []schema.Value{{Name: "On", Number: on}}}
	return message([]schema.Field{{Type: 1}}, schema.Type{Kind: schema.Map, Key: 2, Elem: 3}, keys, text)
}

func arm(n uint32, name string) schema.Field { return schema.Field{Number: n, Name: name} }

func lineage(id uint64) *schema.Schema {
	return field(schema.Type{Kind: schema.Struct, Lineage: id})
}

func named(s *schema.Schema, name string) *schema.Schema {
	s.Types[0].Name = name
	return s
}

func deprecated(s *schema.Schema) *schema.Schema {
	s.Types[0].Deprecated = true
	return s
}

func sparse(s *schema.Schema) *schema.Schema {
	s.Types[0].Sparse = true
	return s
}

func limits(wire, raw, depth uint32) *schema.Schema {
	s := field(text)
	s.Limits = schema.Limits{MaxWire: wire, MaxRaw: raw, MaxDepth: depth}
	return s
}

func TestDiff(t *testing.T) {
	seen := map[schema.Code]bool{}
	for _, c := range fixtures {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, x := range schema.Diff(c.before, c.after) {
				got = append(got, fmt.Sprintf("%s %s", x.Code, x.Path))
				seen[x.Code] = true
				if !strings.HasPrefix(x.String(), x.Path+": "+string(x.Code)+": ") {
					t.Errorf("text %q", x)
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("\n got %s\nwant %s", s, c.want)
			}
		})
	}
	for _, code := range []schema.Code{
		schema.FieldDeleted, schema.TagReused, schema.TagGap, schema.FieldTypeChanged, schema.FieldSectionMoved, schema.InlineChanged,
		schema.LayoutChanged, schema.LineageChanged, schema.ArrayLen, schema.MapKey, schema.UnionArmRenumbered, schema.EnumValueChanged,
		schema.UTF8Changed, schema.UndeprecatedType, schema.InvalidSchema, schema.LimitLowered, schema.JSONNameChanged, schema.FieldAdded,
		schema.FieldRenamed, schema.FieldDeprecated, schema.FieldReserved, schema.UnionArmAdded, schema.EnumValueAdded,
		schema.EnumValueRenamed, schema.TypeRenamed,
		schema.TypeDeprecated, schema.LimitRaised,
	} {
		if !seen[code] {
			t.Errorf("no fixture for %s", code)
		}
	}
}

func TestBreaks(t *testing.T) {
	for _, c := range []struct {
		code schema.Code
		want schema.Severity
	}{{schema.FieldAdded, schema.Safe}, {schema.LimitLowered, schema.Warning}, {schema.JSONNameChanged, schema.Warning},
		{schema.MapKey, schema.Breaking}, {"SOMETHING_NEW", schema.Breaking}} {
		if got := c.code.Severity(); got != c.want {
			t.Errorf("%s is %s, want %s", c.code, got, c.want)
		}
		if got := schema.Breaks([]schema.Change{{Code: schema.FieldAdded}, {Code: c.code}}); got != (c.want == schema.Breaking) {
			t.Errorf("%s: breaks %v", c.code, got)
		}
	}
}

// Recursive types end.
func TestDiffRecursive(t *testing.T) {
	type Node struct {
		Next *Node     `zmy:"0"`
		Kids []Node    `zmy:"1"`
		At   time.Time `zmy:"2"`
	}
	before := of[Node](t)
	{
		type Node struct {
			Next *Node  `zmy:"0"`
			Kids []Node `zmy:"1"`
			At   int64  `zmy:"2"`
		}
		got := schema.Diff(before, of[Node](t))
		if len(got) != 1 || got[0].String() != "Node.At: FIELD_TYPE_CHANGED: time became int64; add a field of the new type and "+
			"deprecate this one" {
			t.Error(got)
		}
	}
}
