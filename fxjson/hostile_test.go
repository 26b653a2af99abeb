package fxjson_test

import (
	"encoding/json"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
)

// cost is what f allocates, in bytes and in calls.
func cost(f func()) (bytes, calls uint64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}

// hostile are documents that try to take more than their share, of some 100 KB.
var hostile = map[string]struct {
	kind func() any
	doc  string
}{
	"elements without content": {kinds[12], `{"children":[` + strings.Repeat("{},", 40_000) + `{}]}`},
	"arrays in arrays":         {kinds[5], `{"Anys":[` + strings.Repeat("[],", 40_000) + `[]]}`},
	"deep arrays":              {kinds[5], `{"Any":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`},
	"too deep":                 {kinds[5], `{"Any":` + strings.Repeat("[", 100_000)},
	"too deep, unknown":        {kinds[12], `{"x":` + strings.Repeat(`{"":`, 30_000)},
	"many keys":                {kinds[5], `{"Map":{` + strings.Repeat(`"":1,`, 25_000) + `"":1}}`},
	"unknown keys":             {kinds[0], `{` + strings.Repeat(`"unknown":[{}],`, 8_000) + `"id":"1"}`},
	"keys but for case":        {kinds[11], `{` + strings.Repeat(`"\u212aEY":1,`, 8_000) + `"KEY":1}`},
	"escapes":                  {kinds[5], `{"Any":"` + strings.Repeat(`\u0041`, 16_000) + `"}`},
	"surrogates":               {kinds[5], `{"Any":"` + strings.Repeat(`\ud800`, 16_000) + `"}`},
	"invalid UTF-8":            {kinds[5], `{"Any":"` + strings.Repeat("\xff", 100_000) + `"}`},
	"a long integer":           {kinds[5], `{"Any":1` + strings.Repeat("0", 100_000) + `}`},
	"a long fraction":          {kinds[3], `{"Float64":0.` + strings.Repeat("0", 100_000) + `1}`},
	"a long exponent":          {kinds[3], `{"Float64":1e` + strings.Repeat("9", 100_000) + `}`},
	"a big number":             {kinds[6], `{"BigInt":1` + strings.Repeat("0", 20_000) + `}`},
	"white space":              {kinds[0], strings.Repeat(" \n\t\r", 25_000) + "{}"},
	"many mismatches":          {kinds[4], `{"Ints":[` + strings.Repeat(`"x",`, 25_000) + `1]}`},
	"a mismatch at the end":    {kinds[4], `{"Ints":[` + strings.Repeat(`1,`, 50_000) + `"x"]}`},
	"a comma at the end":       {kinds[4], `{"Ints":[` + strings.Repeat(`1,`, 50_000) + `]}`},
	"unclosed string":          {kinds[4], `{"Strings":["` + strings.Repeat(`a`, 100_000)},
	"twice quoted":             {kinds[7], `{` + strings.Repeat(`"r":"\"\\u0041\"",`, 6_000) + `"q":"1"}`},
	"base64":                   {kinds[4], `{"Bytes":"` + strings.Repeat("!", 100_000) + `"}`},
	"bad keys":                 {kinds[4], `{"ByInt":{` + strings.Repeat(`"x":"",`, 12_000) + `"1":""}}`},
}

// TestHostile bounds what documents can make a service allocate, whatever is wrong
// with them: a multiple of their size, and of what encoding/json allocates, which is
// asked once. Into used targets and with FastErrors as well.
func TestHostile(t *testing.T) {
	if race {
		t.Skip("pools drop values then")
	}
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			doc := []byte(c.doc)
			want := c.kind()
			std, stdCalls := cost(func() { json.Unmarshal(doc, want) })
			for how, unmarshal := range map[string]func([]byte, any) error{"": fxjson.Unmarshal,
				"fast errors": fxjson.UnmarshalOptions{FastErrors: true}.Unmarshal} {
				fresh := c.kind()
				used := c.kind()
				json.Unmarshal([]byte(`{"value":1,"Int":1,"Ints":[1],"Any":1,"id":"7","a":"x","key":1,"Upper":"a"}`), used)
				for which, to := range map[string]any{"fresh": fresh, "used": used} {
					got, calls := cost(func() { unmarshal(doc, to) })
					// One pass of ours and one of encoding/json, whose slices grow in other steps.
					if most := 3*std + 16*uint64(len(doc)) + 1<<16; got > most {
						t.Errorf("%s target %s: %d bytes allocated, want at most %d (encoding/json %d)", which, how, got, most, std)
					}
					if most := 3*stdCalls + uint64(len(doc))/4 + 200; calls > most {
						t.Errorf("%s target %s: %d allocations, want at most %d (encoding/json %d)", which, how, calls, most, stdCalls)
					}
				}
				if !reflect.DeepEqual(fresh, want) {
					t.Errorf("%s: have %.80s, want %.80s", how, show(fresh), show(want))
				}
			}
		})
	}
}

// TestMismatchIsNoSlowPath makes sure that FastErrors need no encoding/json: what is
// wrong costs no more than what is right.
func TestMismatchIsNoSlowPath(t *testing.T) {
	if race {
		t.Skip("pools drop values then")
	}
	fast := fxjson.UnmarshalOptions{FastErrors: true}
	good, err := json.Marshal(&benchSession)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{
		"wrong type":     strings.Replace(string(good), `"login_count":1847`, `"login_count":"many"`, 1),
		"out of range":   strings.Replace(string(good), `"balance":1523.75`, `"balance":1e999`, 1),
		"cut off":        string(good[:len(good)-1]),
		"comma":          strings.Replace(string(good), `"active":true`, `"active":true,`, 1),
		"unknown escape": strings.Replace(string(good), `maria`, `\maria`, 1),
	} {
		want := testing.AllocsPerRun(100, func() {
			if err := fast.Unmarshal(good, new(jsontypes.Session)); err != nil {
				t.Fatal(err)
			}
		})
		got := testing.AllocsPerRun(100, func() {
			if err := fast.Unmarshal([]byte(bad), new(jsontypes.Session)); err == nil {
				t.Fatal(name + " was accepted")
			}
		})
		if got > 2*want+8 { // a second pass of ours, the error, the copy of the document
			t.Errorf("%s: %v allocations, a good document takes %v", name, got, want)
		}
	}
}
