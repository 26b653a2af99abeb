package fxprototest

import (
	"reflect"
	"time"

	"github.com/zmylab/zmy/fxproto"
)

// The types that both implementations are compared on.
type (
	Level  int32
	Name   string
	Blob   []byte
	Digest [4]byte

	Empty   struct{}
	Scalars struct {
		B   bool    `proto:"1"`
		I32 int32   `proto:"2"`
		I64 int64   `proto:"3"`
		U32 uint32  `proto:"4"`
		U64 uint64  `proto:"5"`
		I   int     `proto:"6"`
		U   uint    `proto:"7"`
		F32 float32 `proto:"8"`
		F64 float64 `proto:"9"`
		S   string  `proto:"10"`
		Y   []byte  `proto:"11"`
		E   Level   `proto:"12"`
		N   Name    `proto:"13"`
		R   string  `proto:"14,raw"`

		Unknown fxproto.Unknown
	}
	Encodings struct {
		S32  int32  `proto:"1,sint"`
		S64  int64  `proto:"2,sint"`
		F32  uint32 `proto:"3,fixed"`
		F64  uint64 `proto:"4,fixed"`
		SF32 int32  `proto:"5,fixed"`
		SF64 int64  `proto:"6,fixed"`
		Far  int64  `proto:"536870911,sint"`
		Mid  uint32 `proto:"300"`
	}
	Pointers struct {
		B   *bool    `proto:"1"`
		I32 *int32   `proto:"2"`
		S64 *int64   `proto:"3,sint"`
		U32 *uint32  `proto:"4,fixed"`
		F32 *float32 `proto:"5"`
		F64 *float64 `proto:"6"`
		S   *string  `proto:"7"`
		R   *string  `proto:"8,raw"`
		E   *Level   `proto:"9"`
		D   *Digest  `proto:"10"`

		Unknown fxproto.Unknown
	}
	Optional struct {
		B bool          `proto:"1,optional"`
		I int32         `proto:"2,optional"`
		S string        `proto:"3,optional"`
		Y []byte        `proto:"4,optional"`
		M Scalars       `proto:"5,optional"`
		D Digest        `proto:"6,optional"`
		L time.Duration `proto:"7,optional"`
		T time.Time     `proto:"8,optional"`
		F float64       `proto:"9,optional"`
	}
	Packed struct {
		B    []bool    `proto:"1"`
		I32  []int32   `proto:"2"`
		S64  []int64   `proto:"3,sint"`
		U64  []uint64  `proto:"4"`
		F32  []uint32  `proto:"5,fixed"`
		SF64 []int64   `proto:"6,fixed"`
		D    []float64 `proto:"7"`
		F    []float32 `proto:"8"`
		E    []Level   `proto:"9"`

		Unknown fxproto.Unknown
	}
	Unpacked struct {
		B   []bool    `proto:"1,unpacked"`
		I64 []int     `proto:"2,unpacked"`
		S32 []int32   `proto:"3,unpacked,sint"`
		D   []float64 `proto:"4,unpacked"`
		U32 []uint32  `proto:"5,fixed,unpacked"`
		E   []Level   `proto:"6,unpacked"`

		Unknown fxproto.Unknown
	}
	Texts struct {
		S []string `proto:"1"`
		N []Name   `proto:"2"`
		R []string `proto:"3,raw"`
		Y [][]byte `proto:"4"`
		B []Blob   `proto:"5"`
		D []Digest `proto:"6"`
	}
	Item struct {
		Sku   string  `proto:"1"`
		Price float64 `proto:"2"`
		Count uint32  `proto:"3"`
	}
	Order struct {
		ID      string            `proto:"1"`
		Items   []Item            `proto:"2"`
		Labels  map[string]string `proto:"3"`
		Created time.Time         `proto:"4"`
		First   Item              `proto:"5"`
		Last    *Item             `proto:"6"`
		All     []*Item           `proto:"7"`

		Unknown fxproto.Unknown
	}
	Kept struct {
		N     int32   `proto:"2"`
		Inner *Kept   `proto:"3"`
		List  []*Kept `proto:"4"`
		Value Held    `proto:"5"`

		Unknown fxproto.Unknown
	}
	Held struct {
		N       int32           `proto:"1"`
		Unknown fxproto.Unknown `json:"-"`
	}
	Tree struct {
		Name     string          `proto:"1"`
		Left     *Tree           `proto:"2"`
		Right    *Tree           `proto:"3"`
		Children []Tree          `proto:"4"`
		ByName   map[string]Tree `proto:"5"`
	}
	Maps struct {
		SS map[string]string  `proto:"1"`
		IS map[int32]string   `proto:"2"`
		IU map[int64]uint64   `proto:"3,key:sint,val:fixed"`
		UB map[uint32]bool    `proto:"4,key:fixed"`
		BD map[bool]float64   `proto:"5"`
		NE map[Name]Level     `proto:"6"`
		SY map[string][]byte  `proto:"7"`
		SF map[uint64]float32 `proto:"8"`
		RR map[string]string  `proto:"9,key:raw,val:raw"`
		EI map[Level]int      `proto:"10,key:fixed,val:sint"`
		SD map[string]Digest  `proto:"11"`

		Unknown fxproto.Unknown
	}
	MessageMaps struct {
		V map[string]Item          `proto:"1"`
		P map[int]*Item            `proto:"2"`
		T map[string]time.Time     `proto:"3"`
		D map[string]time.Duration `proto:"4"`
		N map[string]Maps          `proto:"5"`
		E map[uint64]Empty         `proto:"6"`
	}
	Times struct {
		T  time.Time       `proto:"1"`
		D  time.Duration   `proto:"2"`
		PT *time.Time      `proto:"3"`
		PD *time.Duration  `proto:"4"`
		LT []time.Time     `proto:"5"`
		LD []time.Duration `proto:"6"`
		NS time.Duration   `proto:"7,varint"`
		ND time.Duration   `proto:"8,fixed"`
		LN []time.Duration `proto:"9,sint"`

		Unknown fxproto.Unknown
	}
	Choice struct {
		Before int32      `proto:"9"`
		Text   *string    `proto:"1,oneof:kind"`
		Num    *int64     `proto:"3,sint,oneof:kind"`
		Sub    *Item      `proto:"2,oneof:kind"`
		Raw    []byte     `proto:"5,oneof:kind"`
		When   *time.Time `proto:"6,oneof:kind"`
		A      *bool      `proto:"7,oneof:other"`
		B      *Choice    `proto:"4,oneof:other"`
		After  string     `proto:"8"`

		Unknown fxproto.Unknown
	}
	Groups struct {
		P *Groups  `proto:"1,group"`
		V Item     `proto:"2,group"`
		L []Item   `proto:"3,group"`
		Q []*Kept  `proto:"4,group"`
		M *Groups  `proto:"5"`
		O *Item    `proto:"6,group,oneof:x"`
		N *int32   `proto:"7,oneof:x"`
		S []string `proto:"8"`

		Unknown fxproto.Unknown
	}
	Arrays struct {
		D Digest    `proto:"1"`
		P *Digest   `proto:"2"`
		B [1]byte   `proto:"3"`
		L [][2]byte `proto:"4"`
	}
	Legacy struct {
		Name     string            `protobuf:"bytes,1,opt,name=name" json:"name"`
		Replicas *int32            `protobuf:"varint,2,opt,name=replicas"`
		Count    int64             `protobuf:"zigzag64,3,opt,name=count"`
		Ports    []int32           `protobuf:"varint,4,rep,name=ports"`
		Codes    []uint32          `protobuf:"fixed32,5,rep,packed,name=codes"`
		Labels   map[string]string `protobuf:"bytes,6,rep,name=labels" protobuf_key:"bytes,1,opt,name=key" protobuf_val:"bytes,2,opt,name=value"`
		Spec     Item              `protobuf:"bytes,7,opt,name=spec"`
		Status   *Item             `protobuf:"bytes,8,opt,name=status"`
		Items    []Item            `protobuf:"bytes,9,rep,name=items"`
		Level    Level             `protobuf:"varint,10,opt,name=level,enum=x.Level"`
		Data     []byte            `protobuf:"bytes,11,opt,name=data"`
		Old      *Item             `protobuf:"group,12,opt,name=Old"`

		XXX_unrecognized []byte `json:"-"`
	}
	Legacy3 struct {
		Name  string          `protobuf:"bytes,1,opt,name=name,proto3"`
		Flag  bool            `protobuf:"varint,2,opt,name=flag,proto3"`
		Nums  []int64         `protobuf:"varint,3,rep,packed,name=nums,proto3"`
		Sizes map[int32]int64 `protobuf:"bytes,4,rep,name=sizes,proto3" protobuf_key:"zigzag32,1,opt" protobuf_val:"fixed64,2,opt"`
		Opt   *uint32         `protobuf:"varint,5,opt,name=opt,proto3,oneof"`
		Time  time.Time       `protobuf:"bytes,6,opt,name=time,proto3,stdtime"`
		Took  time.Duration   `protobuf:"varint,7,opt,name=took,proto3,casttype=time.Duration"`
		Meta  Item            `protobuf:"bytes,8,opt,name=meta,proto3"`
	}
	Deep struct {
		A struct {
			B struct {
				C []struct {
					D map[int32]*Deep `proto:"1"`
					E Item            `proto:"15"`
				} `proto:"16"`
			} `proto:"1"`
			X int32 `proto:"2"`
		} `proto:"1"`
	}
	Scattered struct {
		C string `proto:"30"`
		A string `proto:"10"`
		B string `proto:"20"`
		Z string `proto:"18999"`
		Y string `proto:"20000"`

		Skipped  chan int `proto:"-"`
		Untagged int
		Unknown  fxproto.Unknown
	}
	OnlyUnknown struct {
		Rest []byte `proto:"unknown"`
	}
	Embedding struct {
		Item `proto:"1"`
		Kept *Kept `proto:"2"`
	}
	Small  int8
	Port   uint16
	Octet  uint8
	Narrow struct {
		I8  int8   `proto:"1"`
		I16 int16  `proto:"2"`
		U8  uint8  `proto:"3"`
		U16 uint16 `proto:"4"`
		S8  int8   `proto:"5,sint"`
		S16 Short  `proto:"6,sint"`
		F8  int8   `proto:"7,fixed"`
		F16 Port   `proto:"8,fixed"`

		P8  *int8   `proto:"9"`
		P16 *uint16 `proto:"10,fixed"`
		O8  uint8   `proto:"11,optional"`
		A8  *Small  `proto:"12,oneof:kind"`
		A16 *int16  `proto:"13,sint,oneof:kind"`
		W8  *Octet  `proto:"14,wrapper"`
		W16 int16   `proto:"15,wrapper"`

		Unknown fxproto.Unknown
	}
	NarrowLists struct {
		L8  []int8           `proto:"1"`
		S16 []Short          `proto:"2,sint"`
		F16 []uint16         `proto:"3,fixed"`
		U16 []Port           `proto:"4"`
		X8  []Small          `proto:"5,fixed,unpacked"`
		X16 []int16          `proto:"6,unpacked"`
		Z16 []int16          `proto:"7,sint,unpacked"`
		M8  map[int8]uint8   `proto:"8"`
		M16 map[Port]Short   `proto:"9,key:fixed,val:sint"`
		MS  map[string]Small `proto:"10,val:fixed"`
		MW  map[Octet]int16  `proto:"11,val:wrapper"`

		Unknown fxproto.Unknown
	}
	Short int16
	Mixed struct {
		Item  `zmy:"0" proto:"1"`
		Texts *Texts  `zmy:"1" proto:"2"`
		Packs *Packed `zmy:"2" proto:"3"`
		Times []Times `zmy:"3" proto:"4"`
	}
)

// types has all types that are compared.
var types = []reflect.Type{
	reflect.TypeFor[Empty](), reflect.TypeFor[Scalars](), reflect.TypeFor[Encodings](), reflect.TypeFor[Pointers](),
	reflect.TypeFor[Optional](), reflect.TypeFor[Packed](), reflect.TypeFor[Unpacked](), reflect.TypeFor[Texts](),
	reflect.TypeFor[Order](), reflect.TypeFor[Kept](), reflect.TypeFor[Tree](), reflect.TypeFor[Maps](),
	reflect.TypeFor[MessageMaps](), reflect.TypeFor[Times](), reflect.TypeFor[Choice](), reflect.TypeFor[Groups](),
	reflect.TypeFor[Arrays](), reflect.TypeFor[Legacy](), reflect.TypeFor[Legacy3](), reflect.TypeFor[Deep](),
	reflect.TypeFor[Scattered](), reflect.TypeFor[OnlyUnknown](), reflect.TypeFor[Embedding](), reflect.TypeFor[Mixed](),
	reflect.TypeFor[Shapes](), reflect.TypeFor[Wrapped](), reflect.TypeFor[Wrappers](), reflect.TypeFor[Dynamic](),
	reflect.TypeFor[Anys](), reflect.TypeFor[Narrow](), reflect.TypeFor[NarrowLists](),
	reflect.TypeFor[Own](),
}
