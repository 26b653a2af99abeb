package pbtype_test

import (
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbtype"
)

type (
	level   int32
	message struct {
		N int32 `proto:"1"`
	}
	untagged struct{ N int }
	nested   struct {
		In *untagged `proto:"1"`
	}
	outer struct {
		List []nested `proto:"1"`
	}
	loop struct {
		Next  *loop           `proto:"2"`
		All   []loop          `proto:"1"`
		Named map[string]loop `proto:"3"`
	}
	within struct {
		List []broken `proto:"1"`
	}
	broken struct {
		Done chan bool `proto:"1"`
	}
)

// shape and misfits are interfaces of oneofs, and have arms that cannot be arms.
type (
	shape   interface{ isShape() }
	misfits interface{ isMisfit() }
	circle  struct{ R int }
	square  struct {
		Side *int32 `proto:"2,oneof"`
	}
	line struct {
		Len int32 `proto:"2,oneof"`
	}
	text string
)

func arm[T any](text string) pbreflect.Arm {
	return pbreflect.Arm{Text: text, Type: reflect.TypeFor[T](), Pointer: true}
}

func init() {
	pbreflect.RegisterArms(reflect.TypeFor[shape](), []pbreflect.Arm{arm[line]("square")})
	pbreflect.RegisterArms(reflect.TypeFor[misfits](), []pbreflect.Arm{arm[square]("square"), arm[circle]("circle"), arm[text]("text"),
		{Text: "gone=7"}, arm[message]("level=0")})
}

// TestRefusals has a struct for each reason to refuse a type.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		v    any
		want []string // each problem, from its start
	}{
		{1, []string{"int: a message is a struct, not int; wrap it"}},
		{untagged{}, []string{`pbtype_test.untagged: pbtype_test.untagged has no field with a struct tag, so nothing of it would be ` +
			`carried; number its fields, by fxproto -number or as in proto:"1"`}},
		{struct {
			A untagged               `proto:"1"`
			B []untagged             `proto:"2"`
			C map[string]*untagged   `proto:"3"`
			D struct{ Next *nested } `proto:"4"`
		}{}, []string{`.A: pbtype_test.untagged has no field with a struct tag, so nothing of it would be carried; number its fields, by fxproto -number or as in ` +
			`proto:"1", or leave it out with proto:"-"`, ".B: pbtype_test.untagged has no", ".C: pbtype_test.untagged has no",
			".D: struct { Next *pbtype_test.nested } has no"}},
		{outer{}, []string{"pbtype_test.outer.List[].In: pbtype_test.untagged has no field"}},
		{within{}, []string{`pbtype_test.within.List[].Done: chan bool has no form in protobuf; leave it out with proto:"-"`}},
		{struct {
			A int  `proto:"1"`
			B bool `proto:"1"`
		}{}, []string{".B: field number 1 is also that of field A; give one of them another number"}},
		{struct {
			A int `proto:"0"`
			B int `proto:"1,big"`
		}{}, []string{".A: field number 0 is out of range", `.B: struct tag proto has no option "big"`}},
		{struct {
			a int `proto:"1"`
		}{}, []string{".a: has a field number but is not exported; export it"}},

		{one[[4]int8](), []string{".A: [4]int8 has no form in protobuf; use a slice, or"}},
		{one[[][]uint16](), []string{".A: []uint16 has no form in protobuf; put a struct between, or"}},
		{one[complex128](), []string{".A: complex128 has no form"}},
		{one[uintptr](), []string{".A: uintptr has no form"}},
		{one[*any](), []string{".A: *interface {} has two ways to be absent; drop the pointer"}},
		{one[[]*[]any](), []string{".A: []*[]interface {} contains pointers"}},
		{one[map[message]any](), []string{".A: a map key of type pbtype_test.message is not possible"}},
		{struct {
			A [2]byte        `proto:"1,wrapper"`
			B int32          `proto:"2,fixed,wrapper"`
			C time.Time      `proto:"3,wrapper"`
			D any            `proto:"4,wrapper"`
			E map[string]int `proto:"5,key:wrapper"`
			F *[]byte        `proto:"6,wrapper"`
			G string         `proto:"7,raw,wrapper"`
		}{}, []string{".A: no wrapper of protobuf has [2]uint8 in this form; use option wrapper with a bool",
			".B: no wrapper of protobuf has int32",
			".C: no wrapper", ".D: no wrapper", ".E: a map key of type string is not possible",
			".F: *[]uint8 has two ways to be absent; drop the",
			".G: no wrapper"}},
		{struct {
			XXX_InternalExtensions struct{} `json:"-"`
			A                      string   `proto:"1"`
		}{}, []string{".XXX_InternalExtensions: holds extensions of proto2, which are not carried; leave messages with extensions to"}},
		{struct {
			A string `protobuf:"bytes,1,opt,name=a,proto3,customtype=Upper"`
			B string `protobuf:"-"`
			C string `protobuf:"bytes,2,opt,name=c,proto3"`
		}{}, []string{".A: has gogo/protobuf's option customtype, whose methods are not called; add a struct tag proto"}},
		{one[fmt.Stringer](), []string{".A: fmt.Stringer has no form in protobuf; use the struct tag proto:\"oneof\", in a struct"}},
		{one[func()](), []string{".A: func() has no form"}},
		{one[big.Int](), []string{`.A: big.Int has no form in protobuf; use option text, or leave it out with proto:"-"`}},
		{one[[]*big.Rat](), []string{".A: big.Rat has no form in protobuf; use option text, or"}},
		{one[netip.Addr](), []string{`.A: netip.Addr has no field with a struct tag, so nothing of it would be carried; use option text, or leave`}},
		{struct {
			A int                `proto:"1,text"`
			B struct{ C int }    `proto:"2,binary"`
			C []*netip.Addr      `proto:"3,text"`
			D map[netip.Addr]int `proto:"4,key:text"`
			E netip.Addr         `proto:"5,text,sint"`
			F netip.Addr         `proto:"6,text,wrapper"`
			G netip.Addr         `proto:"7,text,raw"`
			H netip.Addr         `proto:"8,text,oneof:x"`
			I map[int]netip.Addr `proto:"9,text"`
			J []netip.Addr       `proto:"10,text,packed"`
			K **netip.Addr       `proto:"11,text"`
			L any                `proto:"12,text"`
			M fmt.Stringer       `proto:"13,text"`
			N *netip.Addr        `proto:"14,text,optional"`
			O [][]netip.Addr     `proto:"15,text"`
			P netip.Addr         `proto:"16,text,group"`
		}{}, []string{".A: a pointer to int does not implement encoding.TextMarshaler and encoding.TextUnmarshaler; give",
			".B: a pointer to struct { C int } does not implement encoding.BinaryMarshaler", ".C: []*netip.Addr contains pointers",
			".D: a map key of type netip.Addr is not", ".E: netip.Addr cannot be encoded as sint", ".F: no wrapper of protobuf has netip.Addr",
			".G: option raw applies to strings", ".H: an arm of a oneof must be able to be absent", ".I: options of numbers and strings do not",
			".J: options packed and unpacked apply", ".K: a pointer to *netip.Addr does not", ".L: a pointer to interface {} does not",
			".M: a pointer to fmt.Stringer does not", ".N: option optional applies", ".O: a pointer to []netip.Addr does not",
			".P: netip.Addr cannot be encoded as group"}},
		{one[[2]int](), []string{".A: [2]int has no form in protobuf; use a slice"}},
		{one[[0]byte](), []string{".A: [0]uint8 has no form"}},
		{one[**int](), []string{".A: *int has no form in protobuf; drop a pointer"}},
		{one[*[]byte](), []string{".A: *[]uint8 has two ways to be absent; use []byte with option optional"}},
		{one[*[]int](), []string{".A: []int has no form"}},
		{one[[][]int](), []string{".A: []int has no form in protobuf; put a struct between"}},
		{one[[]map[int]int](), []string{".A: map[int]int has no form"}},
		{one[map[int][]string](), []string{".A: []string has no form"}},
		{one[[]*int](), []string{".A: []*int contains pointers to values that are always present; drop the pointer"}},
		{one[[]*time.Time](), []string{".A: []*time.Time contains pointers"}},
		{one[map[int]*string](), []string{".A: map[int]*string contains pointers"}},
		{one[map[float64]int](), []string{".A: a map key of type float64 is not possible in protobuf; use a string"}},
		{one[map[message]int](), []string{".A: a map key of type pbtype_test.message is not possible"}},
		{one[map[[2]byte]int](), []string{".A: a map key of type [2]uint8 is not possible"}},
		{one[map[time.Duration]int](), []string{".A: a map key of type time.Duration is not possible"}},

		{struct {
			A string `proto:"1,sint"`
		}{}, []string{".A: string cannot be encoded as sint; remove the option"}},
		{struct {
			A uint32 `proto:"1,sint"`
		}{}, []string{".A: uint32 cannot be encoded as sint"}},
		{struct {
			A bool `proto:"1,fixed"`
		}{}, []string{".A: bool cannot be encoded as fixed"}},
		{struct {
			A int `proto:"1,group"`
		}{}, []string{".A: int cannot be encoded as group"}},
		{struct {
			A time.Time `proto:"1,group"`
		}{}, []string{".A: time.Time cannot be encoded as group"}},
		{struct {
			A int `proto:"1,raw"`
		}{}, []string{".A: option raw applies to strings, not to int"}},
		{struct {
			A int `proto:"1,packed"`
		}{}, []string{".A: options packed and unpacked apply to slices of numbers"}},
		{struct {
			A []string `proto:"1,unpacked"`
		}{}, []string{".A: options packed and unpacked apply to slices of numbers"}},
		{struct {
			A *int `proto:"1,optional"`
		}{}, []string{".A: option optional applies to a single value that is no pointer"}},
		{struct {
			A []int `proto:"1,optional"`
		}{}, []string{".A: option optional applies to a single value"}},
		{struct {
			A int `proto:"1,key:sint"`
		}{}, []string{".A: options key and val apply to maps"}},
		{struct {
			A map[int]int `proto:"1,sint"`
		}{}, []string{".A: options of numbers and strings do not apply to the map itself"}},
		{struct {
			A int `proto:"1,oneof:x"`
		}{}, []string{".A: an arm of a oneof must be able to be absent; use a pointer, or []byte"}},
		{struct {
			A int `proto:"1,oneof"`
		}{}, []string{".A: option oneof without a name is for the only field of a struct"}},
		{struct {
			A int `proto:"oneof"`
		}{}, []string{".A: an interface holds the arms of a oneof, not int"}},
		{struct {
			A fmt.Stringer `proto:"oneof"`
		}{}, []string{".A: the types that fmt.Stringer may hold are not known; generate code for the struct with the command fxproto"}},
		{struct {
			A *int  `proto:"1,oneof:Shape"`
			S shape `protobuf_oneof:"Shape"`
		}{}, []string{".S: oneof Shape has another field: an interface has all arms of its oneof; remove one"}},
		{struct {
			S shape `proto:"oneof"`
			A *int  `proto:"1,oneof:s"`
		}{}, []string{".A: oneof s has another field"}},
		{struct {
			S shape `proto:"oneof"`
			A *int  `proto:"2"`
		}{}, []string{".A: field number 2 is also that of field S.(pbtype_test.line)"}},
		{struct {
			S misfits `proto:"oneof"`
		}{}, []string{".S: arm square: its value is always present; drop the pointer",
			`.S: arm circle has no number; number it in a directive //zmy:union circle=1 at the interface, or its only field by proto:"1,oneof"`,
			".S: arm text is no struct; wrap it", ".S: there is no type gone", ".S: arm level=0: field number 0 is out of range"}},
		{struct {
			A []int `proto:"1,oneof:x"`
		}{}, []string{".A: an arm of a oneof must be able to be absent"}},
		{struct {
			A string `proto:"unknown"`
		}{}, []string{".A: unknown fields are kept as bytes, not as string; use the type fxproto.Unknown"}},
		{struct {
			A fxproto.Unknown
			B []byte `proto:"unknown"`
		}{}, []string{".B: is a second field for unknown fields beside A; remove one"}},
		{struct {
			a fxproto.Unknown
		}{}, []string{".a: keeps unknown fields but is not exported"}},

		{struct {
			A string `protobuf:"varint,1,opt,name=a"`
		}{}, []string{".A: string cannot be encoded as varint"}},
		{struct {
			A int64 `protobuf:"bytes,1,opt,name=a"`
		}{}, []string{`.A: wire type "bytes" of struct tag protobuf is not one of int64; use varint`}},
		{struct {
			A int64 `protobuf:"fixed32,1,opt,name=a"`
		}{}, []string{`.A: wire type "fixed32" of struct tag protobuf is not one of int64; use fixed64`}},
		{struct {
			A int64 `protobuf:"varint,1,opt,name=a,enum=x.E"`
		}{}, []string{".A: an enum has 32 bits, unlike int64"}},
		{struct {
			A int64 `protobuf:"varint,1,rep,name=a"`
		}{}, []string{".A: struct tag protobuf does not agree with the Go type int64"}},
		{struct {
			A []int64 `protobuf:"varint,1,opt,name=a"`
		}{}, []string{".A: struct tag protobuf does not agree"}},
	} {
		plan, problems := pbreflect.Types(reflect.TypeOf(c.v))
		if plan != nil || len(problems) != len(c.want) {
			t.Errorf("%T: %d problems, want %q", c.v, len(problems), c.want)
		}
		for i := range min(len(problems), len(c.want)) {
			text := problems[i].String()
			if strings.HasPrefix(c.want[i], ".") { // the root is a type without a name
				text = strings.TrimPrefix(text, problems[i].Type.String())
			}
			if !strings.HasPrefix(text, c.want[i]) {
				t.Errorf("%T:\n%s\nwant %s", c.v, text, c.want[i])
			}
		}
	}
}

// one returns a struct with one field of type T.
func one[T any]() any {
	return reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[T](), Tag: `proto:"1"`}})).Elem().Interface()
}

// TestPlan shows the plan of every shape as a line of a .proto file.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{loop{}, "1 list message; 2 nilable message; 3 map string message"},
		{struct {
			E level    `proto:"1"`
			L []level  `proto:"2"`
			F *level   `proto:"3,fixed"`
			I int32    `proto:"4"`
			S []string `proto:"5"`
			U []uint   `proto:"6,unpacked"`
		}{}, "1 enum; 2 list packed enum; 3 nilable sfixed32; 4 int32; 5 list string; 6 list uint64"},
		{struct {
			T time.Time     `proto:"1"`
			D time.Duration `proto:"2,optional"`
			N time.Duration `proto:"3,sint"`
			B []byte        `proto:"4,optional"`
			A [4]byte       `proto:"5,optional"`
			G message       `proto:"6,group"`
		}{}, "1 google.protobuf.Timestamp; 2 always google.protobuf.Duration; 3 sint64; 4 nilable bytes; 5 always bytes; 6 group"},
		{struct {
			A *int   `proto:"1,oneof:x"`
			Z int    `proto:"9"`
			B *int   `proto:"4,oneof:y"`
			C []byte `proto:"3,oneof:x"`
		}{}, "9 int64; 1 oneof x nilable int64; 3 oneof x nilable bytes; 4 oneof y nilable int64"},
		{struct {
			A string  `protobuf:"bytes,1,opt,name=a"`
			B string  `protobuf:"bytes,2,opt,name=b,proto3"`
			C []byte  `protobuf:"bytes,3,opt,name=c"`
			D []int32 `protobuf:"varint,4,rep,name=d"`
			E level   `protobuf:"varint,5,opt,name=e,enum=x.E,proto3"`
			M message `protobuf:"bytes,6,req,name=m"`
		}{}, "1 always raw string; 2 string; 3 nilable bytes; 4 list int32; 5 enum; 6 always message"},
	} {
		plan, problems := pbreflect.Types(reflect.TypeOf(c.v))
		if len(problems) > 0 {
			t.Errorf("%T: %s", c.v, problems[0].String())
			continue
		}
		if got := describe(plan.Root); got != c.want {
			t.Errorf("%T:\n%s, want\n%s", c.v, got, c.want)
		}
	}
}

func describe(m *pbtype.MessageType[reflect.Type, pbreflect.Field]) string {
	var lines []string
	for i := range m.Fields {
		f := &m.Fields[i]
		words := []string{fmt.Sprint(f.Number)}
		add := func(on bool, word string) {
			if on {
				words = append(words, word)
			}
		}
		if f.Oneof >= 0 {
			add(true, "oneof "+m.Oneofs[f.Oneof])
		}
		add(f.Shape == pbtype.List, "list")
		add(f.Shape == pbtype.Map, "map "+f.Key.Kind.String())
		add(f.Presence == pbtype.Always, "always")
		add(f.Presence == pbtype.Nilable, "nilable")
		add(f.Packed, "packed")
		add(f.Value.Raw, "raw")
		lines = append(lines, strings.Join(append(words, f.Value.Kind.String()), " "))
	}
	return strings.Join(lines, "; ")
}

func TestNotes(t *testing.T) {
	type owner struct {
		A        int `proto:"1"`
		Left     int
		private  int
		Out      chan int `proto:"-"`
		XXX_size int
	}
	plan, problems := pbreflect.Types(reflect.TypeFor[owner]())
	if len(problems) > 0 {
		t.Fatal(problems[0].String())
	}
	if len(plan.Notes) != 1 || plan.Notes[0].Path != "pbtype_test.owner.Left" || !strings.Contains(plan.Notes[0].Why, "no struct tag") {
		t.Errorf("notes %+v, want one for Left", plan.Notes)
	}
}

func TestMessagesAreShared(t *testing.T) {
	plan, problems := pbreflect.Types(reflect.TypeFor[loop]())
	if len(problems) > 0 || len(plan.Messages) != 1 {
		t.Fatalf("%d messages, %d problems, want one message", len(plan.Messages), len(problems))
	}
	for i := range plan.Root.Fields {
		if plan.Root.Fields[i].Value.Message != plan.Root {
			t.Errorf("field %s has a message of its own", plan.Root.Fields[i].Name)
		}
	}
}
