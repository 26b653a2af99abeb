package values

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// numberExtremes are numbers that a codec loses if it converts them to float64.
var numberExtremes = []change{
	is("json.Number of 20 digits", json.Number("12345678901234567890")),
	is("json.Number of all digits", json.Number("0.1000000000000000055511151231257827")),
	is("json.Number beyond float64", json.Number("1e400")),
	is("json.Number -0", json.Number("-0")),
}

// isURL reports whether t is url.URL. It goes by the name, since importing net/url would add a
// large package to every worker.
func isURL(t reflect.Type) bool { return t.PkgPath() == "net/url" && t.Name() == "URL" }

var urlExtremes = []change{
	urlOf("url with a user, a query and a fragment", "https://user:p%40ss@example.com:8443/a%2Fb/c%20d?q=1&q=2#frag%20ment"),
	urlOf("url without a host", "mailto:someone@example.com"),
	urlOf("url of a path", "/only/a/path?"),
	urlOf("url of IPv6 with a zone", "http://[fe80::1%25eth0]:80/"),
}

func urlOf(name, text string) change {
	return change{name: name, to: func(t reflect.Type) reflect.Value {
		v := reflect.New(t)
		if r, ok := v.Interface().(encoding.BinaryUnmarshaler); !ok || r.UnmarshalBinary([]byte(text)) != nil {
			return reflect.Value{}
		}
		return v.Elem()
	}}
}

// free is a text in no known form: a type that reads it reads any text.
const free = "no form ~ of (any) type!"

// namedForm is a form with a name, which some types read.
type namedForm struct {
	name string
	spelling
	plain bool // an ordinary program may have such a value
	any   bool // use it also for types that read any text
}

var ownForms = allOwnForms()

func allOwnForms() (out []namedForm) {
	for _, s := range []string{`""`, "0", "false", "[]", "{}"} { // values that look like null but are not
		out = append(out, namedForm{s, spelling{s, true}, true, true})
	}
	for _, s := range []string{"-1", "9007199254740993", "0.1000000000000000055511151231257827", "1e20"} {
		out = append(out, namedForm{"number " + s, spelling{s, true}, false, true})
	}
	out = append(out,
		namedForm{"of escapes", spelling{"\"\\/\b\f\n\r\t<>&\u2028", false}, false, true},
		namedForm{"beyond the BMP", spelling{"𝄞😀é漢", false}, false, true},
		namedForm{"of 300 bytes", spelling{strings.Repeat("0123456789", 30), false}, false, true},
		namedForm{"of 256 bytes in base64", spelling{base64.StdEncoding.EncodeToString(everyByte()), false}, false, false})
	for _, s := range []string{
		"0", "-0.000000001", "123456789012345678901234567890.123456789", "1E+20", "true", "false",
		"1970-01-01T00:00:00Z", "2024-05-01T12:30:00.123456789+05:45", "9999-12-31T23:59:59.999999999Z", "1969-12-31", "9999-12-31",
		"-1.5s", "1ns", "2562047h47m16.854775807s",
		"fe80::1%eth0", "::ffff:10.0.0.1", "::", "255.255.255.255", "[fe80::1%eth0]:65535", "[::ffff:10.0.0.1]:1",
		"2001:db8::/32", "10.1.2.3/8", "00:00:5e:00:53:01:02:03",
		"ffffffff-ffff-ffff-ffff-ffffffffffff", "1.2.3-rc.1+build.5", "zh-Hant-HK", "-1500m", "0x0001", "0x" + strings.Repeat("00", 20),
		"https://user:p%40ss@example.com:8443/a%2Fb?q=1#frag",
	} {
		out = append(out, namedForm{s, spelling{s, false}, false, false})
	}
	return out
}

var ownChanges sync.Map // reflect.Type → []change

// ownExtremes returns an extreme for each form in ownForms that t reads and writes again. It leaves
// out forms that t reads as its zero value. If t reads any text, only forms with any set are used.
func ownExtremes(t reflect.Type) (out []change) {
	if known, ok := ownChanges.Load(t); ok {
		return known.([]change)
	}
	v := reflect.New(t).Elem()
	reads := func(s spelling) bool { return read(v, s) && respells(v) && !v.IsZero() }
	takesAll := reads(spelling{free, false})
	for _, f := range ownForms {
		if takesAll && !f.any || !reads(f.spelling) {
			continue
		}
		x := reflect.New(t).Elem()
		x.Set(v)
		out = append(out, change{name: "own form " + f.name, plain: f.plain, to: func(reflect.Type) reflect.Value { return x }})
	}
	ownChanges.Store(t, out)
	return out
}
