package zmyvector

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/zmylab/zmy"
)

// sample is a value whose message is a vector.
type sample struct {
	id string
	v  Message
}

func ptr[T any](v T) *T { return &v }

func unix(s, ns int64) time.Time { return time.Unix(s, ns).UTC() }

var noon = unix(1_700_000_000, 123_456_789)

// samples are values by category.
var samples = map[string][]sample{
	"scalars": {
		{"zero", &Scalars{}},
		{"least", &Scalars{Int8: math.MinInt8, Int16: math.MinInt16, Int32: math.MinInt32, Int64: math.MinInt64, Duration: math.MinInt64}},
		{"most", &Scalars{
			Bool: true, Int8: math.MaxInt8, Int16: math.MaxInt16, Int32: math.MaxInt32, Int64: math.MaxInt64,
			Uint8: math.MaxUint8, Uint16: math.MaxUint16, Uint32: math.MaxUint32, Uint64: math.MaxUint64, Duration: math.MaxInt64,
		}},
		{"floats", &Scalars{Float32: 1.5, Float64: -0.1, Complex64: complex(1, -2), Complex128: complex(math.Inf(1), 5e-324)}},
		{"minus zero", &Scalars{Float32: float32(math.Copysign(0, -1)), Float64: math.Copysign(0, -1)}},
		{"nan", &Scalars{Float32: math.Float32frombits(0x7fa00001), Float64: math.Float64frombits(0xfff0000000000001)}},
		{"arrays", &Scalars{Grid: [2][2]int16{{1, -2}, {3, -4}}, Flags: [3]bool{true, false, true}, Times: [2]time.Time{{}, noon}}},
		{"inline", &Scalars{At: Spot{X: -1, On: true, When: noon}}},
	},
	"arrays": {
		{"zero", &Tables{}},
		{"first and last", &Tables{Pages: [2][300]byte{{0: 1}, {299: 2}}}},
		{"one element is zero", &Tables{Pages: [2][300]byte{1: {7: 7}}}},
		{"arrays of arrays of arrays", &Tables{Deep: [2][2][40]int64{{1: {39: -1}}, {{0: 1 << 40}, {}}}}},
		{"pointer to zero", &Tables{Maybe: new([2][300]byte)}},
		{"pointer", &Tables{Maybe: &[2][300]byte{{1}, {2}}}},
		{"list", &Tables{List: [][2][300]byte{{}, {1: {5}}, {}}}},
	},
	"time": {
		{"1970", &Scalars{Time: unix(0, 0), Zone: unix(0, 0), Nano: unix(0, 0)}},
		{"before 1970", &Scalars{Time: unix(-1, 999_999_999), Zone: unix(-1, 1), Nano: unix(-1, 1)}},
		{"least", &Scalars{Time: unix(-31_557_014_167_219_200, 0), Nano: unix(0, math.MinInt64+1)}},
		{"most", &Scalars{Time: unix(31_556_889_864_403_199, 999_999_999), Nano: unix(0, math.MaxInt64)}},
		{"zone east", &Scalars{Zone: noon.In(time.FixedZone("", 64_800))}},
		{"zone west", &Scalars{Zone: noon.In(time.FixedZone("", -64_800))}},
		{"zone of year 1", &Scalars{Zone: time.Time{}.In(time.FixedZone("", 3600))}},
		{"pointer", &Optional{Time: ptr(unix(0, 0))}},
		{"pointer to zero", &Optional{Time: &time.Time{}}},
		{"lists", &Lists{Times: []time.Time{{}, noon}, Zones: []time.Time{noon.In(time.FixedZone("", -1)), unix(1, 1)}}},
		{"in any", &Dynamic{noon}},
	},
	"strings": {
		{"empty", &Order{}},
		{"ascii", &Order{ID: "order"}},
		{"nul", &Order{ID: "\x00"}},
		{"two, three and four bytes", &Order{ID: "é€😀"}},
		{"least and most of each length", &Order{ID: "\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"}},
		{"fifteen ascii, then more", &Order{ID: "fifteen letters" + "é"}},
		{"list", &Lists{Texts: []string{"", "a", "é", ""}}},
		{"map", &Maps{Text: map[string]string{"": "", "a": "é", "é": "a"}}},
		{"signed bytes", &Maps{Text: map[string]string{"a": "1", "z": "2", "é": "3", "€": "4", "😀": "5"}}},
	},
	"optional": {
		{"nil", &Optional{}},
		{"zero", &Optional{
			Bool: ptr(false), Int: ptr[int64](0), Time: &time.Time{}, Text: ptr(""), Point: &Point{}, Line: &Line{}, Span: &Sparse1{},
			Table: &[300]uint8{}, Names: &[2]string{}, List: []string{}, Bytes: []byte{}, Map: map[string]string{}, Key: &[4]byte{},
			Raw: json.RawMessage{},
		}},
		{"full", &Optional{
			Bool: ptr(true), Int: ptr[int64](-1), Time: &noon, Text: ptr("é"), Point: &Point{1, 2}, Line: &Line{"s", 1, []byte{1}},
			Span:  &Sparse1{A: 1},
			Table: &[300]uint8{299: 1}, Names: &[2]string{"a", ""}, List: []string{""}, Bytes: []byte{0}, Map: map[string]string{"": ""},
			Key: &[4]byte{1}, Raw: json.RawMessage("1"),
		}},
		{"list elements", &Lists{Nums: []*int32{nil, ptr[int32](0), ptr[int32](7)}, Optionals: []*string{nil, ptr(""), ptr("a")}}},
	},
	"lists": {
		{"empty", &Lists{}},
		{"packed", &Lists{Ints: []int16{1, -1}, Longs: []uint64{math.MaxUint64}, Floats: []float32{1.5},
			Pairs: []complex64{complex(1, 2)}, Bools: []bool{true, false}}},
		{"byte arrays", &Lists{Keys: [][4]byte{{1, 2, 3, 4}, {}}}},
		{"slots", &Lists{Blobs: [][]byte{nil, {1}, nil}, Grid: [][]int32{{1, 2}, nil, {3}}, Anys: []any{nil, 1, "a"},
			Bigs: []*big.Int{nil, {}, big.NewInt(-256)}}},
		{"dense without words", &Lists{Points: []Point{{1, 2}, {}, {-1, 0}}}},
		{"dense with words", &Lists{Lines: []Line{{"a", 1, nil}, {}, {"", 0, []byte{1}}}, Refs: []*Line{{"b", 2, nil}}}},
		{"long arrays", &Lists{Table: [300]uint8{1: 7}, Ticks: [30]time.Time{29: noon}}},
		{"arrays", &Lists{Names: [2]string{"", "b"}, Spots: [2]Point{{}, {1, 2}}, Rows: [2]Line{{Sku: "a"}, {}},
			Boxes: [2][2]string{{}, {"", "x"}}}},
		{"sparse", &Lists{Spans: []Sparse1{{}, {A: 1}}, Marks: []*Sparse1{nil, {}, {C: true}}}},
		{"maps", &Lists{Sets: []map[int8]bool{nil, {-1: true, 0: false}}}},
	},
	"maps": {
		{"empty", &Maps{}},
		{"text", &Maps{Text: map[string]string{"k": "v"}, Any: map[string]any{"a": nil, "b": 1}}},
		{"numbers", &Maps{Signed: map[int8]string{-128: "a", -1: "b", 0: "c", 127: "d"},
			Large: map[uint64]int32{0: 1, 1 << 63: -1, math.MaxUint64: 2}}},
		{"bools", &Maps{Bool: map[bool]bool{false: true, true: false}}},
		{"durations", &Maps{Span: map[time.Duration][]byte{-1: {1}, 0: nil, 1: {2}}}},
		{"byte arrays", &Maps{Key: map[[2]byte]Point{{0, 1}: {1, 2}, {1, 0}: {}, {200, 0}: {3, 4}}}},
		{"structs", &Maps{Lines: map[string]Line{"a": {Sku: "x"}, "b": {}}, Refs: map[string]*Line{"a": {Qty: 1}},
			Spans: map[string]Sparse1{"": {}, "a": {A: 1}}}},
		{"sets", &Maps{Set: map[string]struct{}{"": {}, "a": {}}, Numbers: map[int32]struct{}{-5: {}, 5: {}}}},
		{"nested", &Maps{Nested: map[string]map[uint8]string{"a": {1: "x", 200: "y"}, "b": nil}, Lists: map[string][]int32{"a": {1}, "b": nil}}},
		{"times", &Maps{Times: map[string]time.Time{"a": noon, "b": {}}}},
		{"unions", &Maps{Cast: map[string]Actor{"a": Robot{1}, "b": nil}}},
	},
	"nested": {
		{"zero", &Tree{}},
		{"empty struct", &Empty{}},
		{"pointer to zero", &Tree{Left: &Tree{}}},
		{"chain", &Tree{Value: 1, Left: &Tree{Value: 2, Left: &Tree{Value: 3}}}},
		{"list", &Tree{Kids: []Tree{{}, {Value: 1, Kids: []Tree{{Value: 2}}}, {Any: true}}}},
		{"order", &Order{ID: "A1", Items: []Item{{Sku: "x", Price: 1.5, Qty: 2}}, Metadata: map[string]string{"k": "v"}, Timestamp: unix(0, 0)}},
	},
	"union": {
		{"nil", &Cast{}},
		{"zero arms", &Cast{Lead: Human{}, Actors: []Actor{Robot{}, nil, Ghost{}}}},
		{"arms", &Cast{Lead: Human{Name: "a", Enemy: Robot{7}}, Actors: []Actor{Ghost{Age: 300, Name: "g"}, Robot{-1}}}},
		{"unknown arms", &Cast{Lead: ActorUnknown{Disc: 3, Raw: []byte{0xff}}, Actors: []Actor{ActorUnknown{Disc: 65535}}}},
	},
	"any":    anySamples(),
	"bignum": bigSamples(),
	"rawjson": {
		{"values", &Raw{JSON: json.RawMessage(`{"a":[1]}`), Number: "-1.5e300", List: []json.RawMessage{nil, []byte("null")},
			Map: map[string]json.RawMessage{"k": []byte("1"), "n": nil}}},
		{"not parsed", &Raw{JSON: json.RawMessage("\xff{"), Number: "no number"}},
		{"in any", &Dynamic{json.RawMessage("[ ]")}},
		{"number in any", &Dynamic{json.Number("1e400")}},
	},
	"sparse": {
		{"zero", &Sparse1{}},
		{"first", &Sparse1{A: -1}},
		{"last", &Sparse1{When: noon}},
		{"tail", &Sparse1{B: "b"}},
		{"all", &Sparse1{A: 1, B: "é", C: true, When: noon}},
		{"two bytes of bitmap", &Sparse2{F: []byte{1}}},
		{"nested", &Sparse2{Kids: []Sparse2{{}, {A: 1}, {Kids: []Sparse2{{E: 5}}}}, At: Spot{On: true}}},
	},
	"evolution": {
		{"v1", &V1{1, "n", []Part1{{1}, {2}}, Part1{3}}},
		{"v2", &V2{1, "n", []Part2{{1, "a"}, {2, ""}}, Part2{3, "b"}, 1.5, "note"}},
		{"v3", &V3{1, "n", []Part3{{1, "a", 4, []byte{5}}, {}}, Part3{3, "", 0, []byte{6}}, 1.5, "note", true, map[string]Part1{"k": {7}}}},
		{"reserved", &Retired{List: []Part2{{1, "a"}}, One: Part2{2, "b"}, Price: 1.5, Note: "note"}},
	},
}

func anySamples() []sample {
	values := []any{
		nil, false, true, 0, 127, -128, 128, -129, 32767, -32768, 32768,
		int64(1 << 31), -1 << 31, 1<<31 - 1, int64(-1<<31 - 1), int64(math.MaxInt64), int64(math.MinInt64),
		uint64(1 << 63), uint64(math.MaxUint64), 1.5, "", "é", []byte{}, []byte{0, 255}, time.Time{}, noon,
		[]any{}, []any{nil, 1, []any{"a"}}, map[string]any{}, map[string]any{"a": nil, "b": map[string]any{"c": 1.5}},
		zmy.RawStruct{ID: 1}, zmy.RawStruct{ID: math.MaxUint64, Data: []byte{1}}, time.Duration(0), time.Second,
		zmy.Decimal{Unscaled: new(big.Int)}, zmy.Decimal{Scale: 2, Unscaled: big.NewInt(12345)},
		zmy.Decimal{Scale: -10_000, Unscaled: big.NewInt(-1)},
		new(big.Int), big.NewInt(-1 << 40), new(big.Float), big.NewFloat(-1.5), json.RawMessage{}, json.RawMessage("[]"),
		float32(1.5), complex64(complex(1, 2)), complex(3, -4), json.Number(""), json.Number("1e5"),
		[]bool{}, []bool{true, false}, []int8{-1}, []int16{-1}, []int32{-1}, []int{}, []int{-1, 1}, []uint16{1}, []uint32{1},
		[]uint64{math.MaxUint64},
		[]float32{1.5}, []float64{-0.5}, []time.Time{{}, noon}, []time.Duration{time.Hour}, []string{}, []string{"", "a"},
		map[string]string{}, map[string]string{"": "", "a": "b"}, zmy.RawAny{Kind: 24}, zmy.RawAny{Kind: 46, Data: []byte("x")},
		zmy.RawAny{Kind: 255, Data: []byte{0}},
	}
	out := make([]sample, len(values))
	for i, v := range values {
		name := fmt.Sprintf("%T", v)
		switch v.(type) {
		case int64: // as other integers are called
			name = "int"
		case json.RawMessage: // Go 1.27 calls it jsontext.Value
			name = "json.RawMessage"
		}
		out[i] = sample{fmt.Sprintf("%02d %s", i, name), &Dynamic{v}}
	}
	return out
}

func bigSamples() []sample {
	inf, neg, exact := new(big.Float).SetInf(true), new(big.Float).Neg(new(big.Float)), new(big.Float).SetPrec(200).SetMode(big.ToZero)
	third := new(big.Float).SetPrec(100).Quo(big.NewFloat(1).SetPrec(100), big.NewFloat(3))
	far := new(big.Float).SetMantExp(big.NewFloat(0.5), 65536)
	huge := new(big.Int).Lsh(big.NewInt(1), 4000)
	return []sample{
		{"zero", &Numbers{}},
		{"pointers to zero", &Numbers{IntPtr: new(big.Int), FloatPtr: new(big.Float)}},
		{"small", &Numbers{Int: *big.NewInt(1), IntPtr: big.NewInt(-255), Ints: []*big.Int{big.NewInt(256), nil, new(big.Int)}}},
		{"huge", &Numbers{IntPtr: huge}},
		{"floats", &Numbers{Float: *big.NewFloat(1.5), FloatPtr: big.NewFloat(-0.1), Floats: []*big.Float{third, nil, exact}}},
		{"infinite", &Numbers{FloatPtr: inf}},
		{"minus zero", &Numbers{Float: *neg, FloatPtr: neg}},
		{"zero with precision", &Numbers{Float: *exact}},
		{"largest exponent", &Numbers{FloatPtr: far}},
	}
}

// wideSamples are around 65,535 bytes, where words change their size.
func wideSamples() (out []sample) {
	const fixed = 4 + 8*2 // header and ends of Wide
	x := strings.Repeat("x", 70_000)
	for _, n := range []int{-1, 0, 1, 16} {
		size := 65_535 - fixed + n
		out = append(out, sample{fmt.Sprintf("text %+d", n), &Wide{Text: x[:size]}})
	}
	for _, n := range []int{-40, -31, -30, -1, 0, 1} {
		size := 65_535 + n
		out = append(out,
			sample{fmt.Sprintf("element %+d", n), &Wide{Lines: []Line{{Sku: "a"}, {Sku: x[:size]}, {Sku: "b"}}}},
			sample{fmt.Sprintf("list of strings %+d", n), &Wide{Texts: []string{"a", x[:size-8], "b"}}},
			sample{fmt.Sprintf("map value %+d", n), &Wide{Map: map[string]string{"k": x[:size-10]}}},
			sample{fmt.Sprintf("map key %+d", n), &Wide{Map: map[string]string{"k": "", x[:size-12]: "v"}}})
	}
	return append(out,
		sample{"packed", &Wide{Ints: make([]int32, 20_000)}},
		sample{"narrow in wide", &Wide{Text: x, Next: &Wide{Text: "a", Lines: []Line{{Sku: "b"}}}}},
		sample{"wide in wide", &Wide{Next: &Wide{Next: &Wide{Bytes: make([]byte, 66_000)}}}},
		sample{"dense without words", &Wide{Fat: make([]Fat, 150)}})
}
