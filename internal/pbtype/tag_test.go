package pbtype

import (
	"reflect"
	"strings"
	"testing"
)

func TestTags(t *testing.T) {
	for _, c := range []struct {
		tag  string
		want Tag
		bad  string // a part of the error
	}{
		{tag: `proto:"1"`, want: Tag{Number: 1}},
		{tag: `proto:"536870911"`, want: Tag{Number: 536870911}},
		{tag: `proto:"18999"`, want: Tag{Number: 18999}},
		{tag: `proto:"20000"`, want: Tag{Number: 20000}},
		{tag: `proto:"-"`, want: Tag{Skip: true}},
		{tag: `proto:"unknown"`, want: Tag{Unknown: true}},
		{tag: `proto:"3,sint"`, want: Tag{Number: 3, Value: Coding{Form: Sint}}},
		{tag: `proto:"3,fixed,unpacked"`, want: Tag{Number: 3, Value: Coding{Form: Fixed}, Packing: Unpacked}},
		{tag: `proto:"3,varint,packed"`, want: Tag{Number: 3, Value: Coding{Form: Varint}, Packing: Packed}},
		{tag: `proto:"3,raw,optional"`, want: Tag{Number: 3, Value: Coding{Raw: true}, Optional: true}},
		{tag: `proto:"3,group"`, want: Tag{Number: 3, Value: Coding{Form: AsGroup}}},
		{tag: `proto:"3,oneof:kind"`, want: Tag{Number: 3, Oneof: "kind"}},
		{tag: `proto:"3,name:unit_price"`, want: Tag{Number: 3, Name: "unit_price"}},
		{tag: `proto:"3,name:a-b"`, bad: `bad name "a-b" of a field; use a name of letters, digits and _`},
		{tag: `proto:"3,name:a,name:b"`, bad: "two names"},
		{tag: `proto:"3,key:sint,val:fixed"`, want: Tag{Number: 3, Key: Coding{Form: Sint}, Val: Coding{Form: Fixed}}},
		{tag: `proto:"3,key:raw,val:raw,val:varint"`, want: Tag{Number: 3, Key: Coding{Raw: true}, Val: Coding{Raw: true, Form: Varint}}},
		{tag: `proto:"3,text,optional"`, want: Tag{Number: 3, Value: Coding{Own: Text}, Optional: true}},
		{tag: `proto:"3,val:binary"`, want: Tag{Number: 3, Val: Coding{Own: Binary}}},
		{tag: `proto:"3,text,binary"`, bad: "options text and binary exclude each other; remove one"},
		{tag: `proto:"-" protobuf:"varint,1,opt"`, want: Tag{Skip: true}},

		{tag: `proto:""`, bad: `bad field number ""`},
		{tag: `proto:"x"`, bad: `bad field number "x"; use a number from 1 to 536870911`},
		{tag: `proto:"-1"`, bad: `bad field number "-1"`},
		{tag: `proto:"+1"`, bad: `bad field number "+1"`},
		{tag: `proto:"01"`, bad: `bad field number "01"`},
		{tag: `proto:" 1"`, bad: `bad field number " 1"`},
		{tag: `proto:"99999999999"`, bad: `bad field number "99999999999"`},
		{tag: `proto:"0"`, bad: "field number 0 is out of range"},
		{tag: `proto:"536870912"`, bad: "field number 536870912 is out of range"},
		{tag: `proto:"19000"`, bad: "field number 19000 is reserved by protobuf; use a number below 19000 or above 19999"},
		{tag: `proto:"19999"`, bad: "field number 19999 is reserved"},
		{tag: `proto:"1,"`, bad: `no option ""`},
		{tag: `proto:"1,zigzag"`, bad: `no option "zigzag"; options are sint, fixed`},
		{tag: `proto:"1,key:packed"`, bad: `no option "key:packed"; options are sint, fixed, varint, raw, wrapper, text and binary`},
		{tag: `proto:"1,val:"`, bad: `no option "val:"`},
		{tag: `proto:"1,sint,sint"`, bad: `option "sint" twice`},
		{tag: `proto:"1,sint,fixed"`, bad: "options sint and fixed exclude each other"},
		{tag: `proto:"1,group,varint"`, bad: "options group and varint exclude each other"},
		{tag: `proto:"1,packed,unpacked"`, bad: "options packed and unpacked exclude each other"},
		{tag: `proto:"1,oneof:"`, bad: `bad name "" of a oneof`},
		{tag: `proto:"1,oneof:9x"`, bad: `bad name "9x" of a oneof`},
		{tag: `proto:"1,oneof:a-b"`, bad: `bad name "a-b" of a oneof`},
		{tag: `proto:"1,oneof:a,oneof:b"`, bad: "two oneofs"},

		{tag: `protobuf:"varint,3,opt,name=a,json=a,proto3"`,
			want: Tag{Number: 3, Value: Coding{Form: Varint}, Packing: Unpacked, Legacy: &Legacy{Wire: "varint", Proto3: true}}},
		{tag: `protobuf:"bytes,3,opt,name=a,def=x,proto3"`, want: Tag{Number: 3, Value: Coding{Raw: true}, Packing: Unpacked, Optional: true,
			Legacy: &Legacy{Wire: "bytes"}}},
		{tag: `protobuf:"zigzag64,3,rep,packed,name=a"`, want: Tag{Number: 3, Value: Coding{Form: Sint, Raw: true}, Packing: Packed,
			Optional: true, Legacy: &Legacy{Wire: "zigzag64", Repeated: true}}},
		{tag: `protobuf:"varint,3,req,name=a,proto3,enum=x.E"`,
			want: Tag{Number: 3, Value: Coding{Form: Varint}, Packing: Unpacked, Legacy: &Legacy{Wire: "varint", Proto3: true, Enum: true}}},
		{tag: `protobuf:"bytes,3,rep,name=a,proto3" protobuf_key:"fixed32,1,opt,name=key" protobuf_val:"bytes,2,opt,name=value"`,
			want: Tag{Number: 3, Key: Coding{Form: Fixed}, Packing: Unpacked,
				Legacy: &Legacy{Wire: "bytes", Repeated: true, Proto3: true, Key: "fixed32", Val: "bytes"}}},

		{tag: `protobuf:"3"`, bad: `bad struct tag protobuf:"3"; use the form`},
		{tag: `protobuf:"string,3,opt"`, bad: `bad wire type "string" in struct tag protobuf; use varint`},
		{tag: `protobuf:"bytes,0,opt"`, bad: "field number 0 is out of range"},
		{tag: `protobuf:"bytes,1,optional"`, bad: `bad label "optional"`},
		{tag: `protobuf:"bytes,1,rep" protobuf_key:"bytes,1,opt"`, bad: `bad wire type "" in struct tag protobuf_val`},
		{tag: `protobuf:"bytes,1,rep" protobuf_val:"bytes,1,opt"`, bad: `bad wire type "" in struct tag protobuf_key`},
		{tag: `protobuf_oneof:"kind"`, want: Tag{Holder: true, Oneof: "kind"}},
		{tag: `proto:"oneof"`, want: Tag{Holder: true}},
		{tag: `proto:"oneof,name:kind"`, want: Tag{Holder: true, Name: "kind"}},
		{tag: `proto:"oneof,name:a.b"`, bad: `bad name "a.b"`},
		{tag: `proto:"oneof,raw"`, bad: `struct tag proto:"oneof" has no option "raw"; its option is name:oneof_name`},
		{tag: `proto:"1,oneof"`, want: Tag{Number: 1, Inner: true}},
	} {
		got, ok, bad := parseTag(reflect.StructTag(c.tag))
		err := ""
		if bad != nil {
			err = bad.msg + "; " + bad.hint
		}
		switch {
		case !ok:
			t.Errorf("%s: no tag", c.tag)
		case c.bad != "" && !strings.Contains(err, c.bad):
			t.Errorf("%s: %q, want %s", c.tag, err, c.bad)
		case c.bad == "" && (err != "" || !reflect.DeepEqual(got, c.want)):
			t.Errorf("%s: %+v, %q, want %+v", c.tag, got, err, c.want)
		}
	}
	if got, ok, bad := parseTag(`json:"a"`); ok || bad != nil {
		t.Errorf("a tag of JSON is one of protobuf: %+v", got)
	}
}
