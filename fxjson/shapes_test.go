package fxjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// NOTE: A walk over shapes of documents and kinds of targets, with and without generated code. It is
// there to find the shape that is slower than encoding/json: the other benchmarks have documents as
// services write them. BenchmarkShapes gives ratios; docs/perf/fxjson.md has a table of them.

// The targets without generated code.
type (
	plainShapes jsontypes.Shapes
	plainWide   jsontypes.Wide
	plainQuoted jsontypes.Quoted
)

// shapeCell is a document and a target for it.
type shapeCell struct {
	name string
	doc  []byte
	kind func() any
}

// many joins n elements made by f.
func many(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(f(i))
	}
	return b.String()
}

// keyShapes are objects for a Wide.
func keyShapes() map[string]string {
	member := func(format string) string {
		return "{" + many(64, func(i int) string { return fmt.Sprintf(format, i) }) + "}"
	}
	return map[string]string{
		"in-order":      member(`"F%02d":1`),
		"indented":      member("\n    " + `"F%02d"   :   1`),
		"reversed":      "{" + many(64, func(i int) string { return fmt.Sprintf(`"F%02d":1`, 63-i) }) + "}",
		"other-case":    member(`"f%02d":1`),
		"escaped":       member(`"\u0046%02d":1`),
		"twice":         "{" + many(128, func(i int) string { return fmt.Sprintf(`"F%02d":1`, i/2) }) + "}",
		"unknown":       member(`"k%02d":1`),
		"unknown-long":  member(`"` + strings.Repeat("key", 40) + `%02d":1`),
		"unknown-utf8":  member(`"é%02d":1`),
		"unknown-bad":   member("\"\xff%02d\":1"),
		"unknown-value": member(`"k%02d":{"a":[1,2,{"b":"text"}],"c":"text"}`),
		"empty":         `{}`,
		"one":           `{"F63":1}`,
	}
}

// textShapes are the contents of string literals.
var textShapes = map[string]string{
	"empty":      ``,
	"ascii-4":    `text`,
	"ascii-20":   strings.Repeat("text ", 4),
	"ascii-4k":   strings.Repeat("text ", 800),
	"newlines":   strings.Repeat(`line\n`, 20),
	"only-n":     strings.Repeat(`\n`, 200),
	"quotes":     strings.Repeat(`\"a\" `, 20),
	"slashes":    strings.Repeat(`\/`, 100),
	"backslash":  strings.Repeat(`C:\\`, 30),
	"u-ascii":    strings.Repeat(`\u0041`, 100),
	"u-control":  strings.Repeat(`\u0001`, 100),
	"u-html":     strings.Repeat(`\u003cb\u003e`, 30),
	"u-latin":    strings.Repeat(`\u00e9t`, 60),
	"u-cjk":      strings.Repeat(`\u65e5\u672c`, 50),
	"u-pairs":    strings.Repeat(`\ud83d\ude00`, 30),
	"u-halves":   strings.Repeat(`\ud83d`, 50),
	"u-long":     strings.Repeat(`\u65e5`, 8000),
	"html":       strings.Repeat(`<b>&`, 50),
	"latin":      strings.Repeat(`élé`, 60),
	"sparse":     strings.Repeat(`text in plain ASCII, but for é`, 10),
	"cyrillic":   strings.Repeat(`привет мир `, 20),
	"cjk":        strings.Repeat(`日本語`, 60),
	"emoji":      strings.Repeat(`😀a`, 60),
	"separators": strings.Repeat("\u2028\u2029", 30),
	"replaced":   strings.Repeat("a\ufffd", 60),
	"bad":        strings.Repeat("a\xff", 60),
	"bad-end":    strings.Repeat("日本語", 60) + "\xff",
	"bad-only":   strings.Repeat("\xff", 200),
	"bad-4k":     strings.Repeat("text\xe9", 800),
	"cut-rune":   strings.Repeat("日\xe6\x97", 40),
	"bad-escape": strings.Repeat("\\n\xff", 60),
}

// numberShapes are literals, and whether integers read them.
var numberShapes = map[string]bool{
	"0": true, "7": true, "-1": true, "123": true, "1234567": true, "123456789": true, "1234567890123": true, "-9223372036854775808": true,
	"0.5": false, "1.25": false, "98.6": false, "1234.5678": false, "0.1234567890123456": false, "3.141592653589793": false,
	"1e5": false, "1E+5": false,
	"1.7976931348623157e308": false, "5e-324": false, "-0.000001": false, "1e-7": false, "123456789012345678901234567890": false,
	"0.1000000000000000055511151231257827021181583404541015625": false,
	"0." + strings.Repeat("123", 50):                            false,
	"1" + strings.Repeat("0", 100):                              false,
	"2.2250738585072011e-308":                                   false,
	"9007199254740993":                                          true,
	"8.41e21":                                                   false,
	"179769313486231580793728971405303415079934132710037826936173e200": false,
}

// shapeCells are the walk.
func shapeCells() (cells []shapeCell) {
	shapes := func(name, member string) {
		doc := []byte("{" + member + "}")
		cells = append(cells, shapeCell{name, doc, func() any { return new(jsontypes.Shapes) }},
			shapeCell{name + "/plan", doc, func() any { return new(plainShapes) }})
	}
	dynamic := func(name, doc string) {
		cells = append(cells, shapeCell{name + "/any", []byte(doc), func() any { return new(any) }})
	}
	for name, doc := range keyShapes() {
		name = "keys/" + name
		cells = append(cells, shapeCell{name, []byte(doc), func() any { return new(jsontypes.Wide) }},
			shapeCell{name + "/plan", []byte(doc), func() any { return new(plainWide) }},
			shapeCell{name + "/list", []byte("[" + many(20, func(int) string { return doc }) + "]"), func() any { return new([]jsontypes.Wide) }})
		dynamic(name, doc)
		shapes(name+"/raw", `"raw":`+doc)
		if name != "keys/unknown-value" {
			shapes(name+"/map", `"counts":`+doc)
		}
	}
	for name, text := range textShapes {
		name = "text/" + name
		shapes(name, `"text":"`+text+`"`)
		shapes(name+"/list", `"texts":[`+many(8, func(int) string { return `"` + text + `"` })+`]`)
		shapes(name+"/key", `"named":{"`+text+`":"x"}`)
		shapes(name+"/unknown", `"unknown":"`+text+`"`)
		shapes(name+"/raw", `"raw":"`+text+`"`)
		dynamic(name, `["`+text+`",{"k":"`+text+`"}]`)
	}
	for lit, integer := range numberShapes {
		name := "number/" + lit
		if len(lit) > 24 {
			name = name[:24] + "-" + fmt.Sprint(len(lit))
		}
		list := `[` + many(50, func(int) string { return lit }) + `]`
		shapes(name+"/floats", `"floats":`+list)
		shapes(name+"/numbers", `"numbers":`+list)
		shapes(name+"/unknown", `"unknown":`+list)
		shapes(name+"/raw", `"raw":`+list)
		if integer {
			shapes(name+"/ints", `"ints":`+list)
		}
		if len(lit) < 19 && lit[0] != '-' && integer {
			shapes(name+"/uints", `"uints":`+list)
			shapes(name+"/counts", `"counts":{"a":`+lit+`,"b":`+lit+`}`)
		}
		dynamic(name, list)
	}
	list := func(elem string) string { return "[" + many(200, func(int) string { return elem }) + "]" }
	for name, doc := range map[string]string{
		"empty-rows": `"rows":` + list("[]"), "null-rows": `"rows":` + list("null"), "short-rows": `"rows":` + list("[1]"),
		"empty-tables": `"tables":` + list("[]"),
		"empty-items":  `"items":` + list("{}"), "null-items": `"items":` + list("null"), "null-ptrs": `"ptrs":` + list("null"),
		"empty-ptrs":  `"ptrs":` + list("{}"),
		"empty-texts": `"texts":[]`, "empty-named": `"named":{}`, "empty-any": `"any":` + list("[]"), "empty-any-objects": `"any":` + list("{}"),
		"nulls": `"any":` + list("null"), "bools": `"bools":` + list("true"), "bools-any": `"any":` + list("false"),
		"spaces": `"ints"  :  ` + list("      1      "), "tabs": "\"rows\" :\n\t" + list("\n\t\t\t[\n\t\t\t\t1\n\t\t\t]"),
		"newlines":       `"texts":` + list("\n\n\n\n\"a\"\n\n\n\n\n"),
		"spaces-unknown": `"unknown"  :  ` + list("      1      "), "spaces-raw": `"raw":` + list("      1      "),
		"long-space": `"ints":` + strings.Repeat(" ", 5000) + `[1]`,
		"keyed":      `"keyed":{` + many(30, func(i int) string { return fmt.Sprintf(`"%d":1.5`, i*77) }) + `}`,
		"bytes":      `"bytes":"` + strings.Repeat("AQID", 300) + `"`, "bytes-array": `"bytes":` + list("17"),
		"bytes-empty": `"bytes":""`, "bytes-lines": `"bytes":"` + strings.Repeat(`AQID\n`, 100) + `"`,
		"times": `"times":` + list(`"2026-11-21T09:00:00.123456789+01:00"`), "addrs": `"addrs":` + list(`"192.0.2.1"`),
		"deep-unknown": `"unknown":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "deep-any": `"any":` +
			strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"deep-any-objects": `"any":` + strings.Repeat(`{"a":`, 3000) + "1" + strings.Repeat("}", 3000), "deep-raw": `"raw":` +
			strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"deep-next":    strings.Repeat(`"next":{`, 300) + strings.Repeat("}", 300),
		"deep-tree":    strings.Repeat(`"tree":[{`, 300) + strings.Repeat("}]", 300),
		"unknown-100k": `"unknown":` + list(`{"a":"text","b":[1,2,3],"c":{"d":null,"e":"`+strings.Repeat("text ", 80)+`"}}`),
		"raw-100k":     `"raw":` + list(`{"a":"text","b":[1,2,3],"c":{"d":null,"e":"`+strings.Repeat("text ", 80)+`"}}`),
	} {
		shapes(path.Join("other", name), doc)
	}
	for name, doc := range map[string]string{
		"numbers": `{"Bool":"true","Int":"1","Int8":"-8","Int64":"1234567890123","Uint64":"18446744073709551615","Float32":"1.5","Float64":"4.00000100","Flag":"false","Ratio":"1e3"}`,
		"texts":   `{"String":"\"text\"","Title":"\"a title that is longer\""}`,
		"escapes": `{"String":"\"\\u0041\\n\"","Title":"\"\u65e5\""}`,
		"ptrs":    `{"IntP":"1","StringP":"\"text\"","BoolP":"true","FloatP":"2.5"}`,
		"nulls":   `{"Bool":null,"Int":null,"Float64":null,"String":null,"IntP":null}`,
	} {
		cells = append(cells, shapeCell{"quoted/" + name, []byte(doc), func() any { return new(jsontypes.Quoted) }},
			shapeCell{"quoted/" + name + "/plan", []byte(doc), func() any { return new(plainQuoted) }})
	}
	return cells
}

// TestShapes compares what the cells of the benchmark give with encoding/json.
func TestShapes(t *testing.T) {
	for _, c := range shapeCells() {
		t.Run(c.name, func(t *testing.T) {
			checkUnmarshal(t, c.kind, c.doc, c.doc)
			v, w := c.kind(), c.kind()
			err, wantErr := fxjson.NewDecoder(bytes.NewReader(c.doc)).Decode(v), json.NewDecoder(bytes.NewReader(c.doc)).Decode(w)
			if !sameError(err, wantErr) || !reflect.DeepEqual(v, w) {
				t.Fatalf("Decode:\nhave %s, %v\nwant %s, %v", show(v), err, show(w), wantErr)
			}
			if wantErr == nil {
				checkMarshal(t, v)
			}
		})
	}
}

// BenchmarkShapes gives for every cell the time of encoding/json divided by that of fxjson, which
// take turns; less than 1 is a shape on which fxjson is slower. -benchtime counts turns, of 200 µs:
// 30x is enough.
func BenchmarkShapes(b *testing.B) {
	for _, c := range shapeCells() {
		if json.Unmarshal(c.doc, c.kind()) != nil {
			continue // errors take a pass of encoding/json more
		}
		used, full := c.kind(), c.kind()
		if err := json.Unmarshal(c.doc, full); err != nil {
			b.Fatal(err)
		}
		for _, op := range []struct {
			name    string
			std, fx func()
		}{
			{"new", func() { json.Unmarshal(c.doc, c.kind()) }, func() { fxjson.Unmarshal(c.doc, c.kind()) }},
			{"used", func() { json.Unmarshal(c.doc, used) }, func() { fxjson.Unmarshal(c.doc, used) }},
			{"stream", func() { json.NewDecoder(bytes.NewReader(c.doc)).Decode(c.kind()) },
				func() { fxjson.NewDecoder(bytes.NewReader(c.doc)).Decode(c.kind()) }},
			{"marshal", func() { json.Marshal(full) }, func() { fxjson.Marshal(full) }},
			{"encode", func() { json.NewEncoder(io.Discard).Encode(full) }, func() { fxjson.NewEncoder(io.Discard).Encode(full) }},
		} {
			b.Run(c.name+"/"+op.name, func(b *testing.B) { turns(b, op.std, op.fx) })
		}
	}
}

// turns runs two functions in turns and reports how much longer the first takes, by the least of
// all turns.
func turns(b *testing.B, std, fx func()) {
	n := 1
	for start := time.Now(); ; start = time.Now() {
		for range n {
			std()
		}
		if time.Since(start) > 100*time.Microsecond {
			break
		}
		n *= 2
	}
	least := [2]time.Duration{1 << 62, 1 << 62}
	for b.Loop() {
		for i, f := range []func(){std, fx} {
			start := time.Now()
			for range n {
				f()
			}
			least[i] = min(least[i], time.Since(start))
		}
	}
	b.ReportMetric(float64(least[0])/float64(least[1]), "std/fxjson")
	b.ReportMetric(0, "ns/op") // of both together, and of no use
}
