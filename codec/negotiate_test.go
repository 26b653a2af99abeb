package codec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var negotiations = []struct {
	accept, want, media string
}{
	{"", "json", "application/json"},
	{"*/*", "json", "application/json"},
	{"application/vnd.zmy", "zmy", "application/vnd.zmy"},
	{"APPLICATION/VND.ZMY ; v=1", "zmy", "application/vnd.zmy"},
	{"application/vnd.zmy, application/json", "zmy", "application/vnd.zmy"},
	{"application/json, application/vnd.zmy", "json", "application/json"},
	{"application/json;q=0.5, application/vnd.zmy;q=0.9", "zmy", "application/vnd.zmy"},
	{"text/*", "json", "text/json"},
	{"text/html, application/*;q=0.8", "json", "application/json"},
	// The most specific range has the say about a media type.
	{"*/*, application/json;q=0, text/json;q=0", "zmy", "application/vnd.zmy"},
	{"application/json;q=0.1, */*;q=0.9, text/json;q=0", "zmy", "application/vnd.zmy"},
	{"application/json;q=0", "error", ""},
	{"text/html", "error", ""},
	{"text/html;q=1, */*;q=0.1", "json", "application/json"},
	// Malformed parts are passed over.
	{"nonsense, application/json;q=x, application/vnd.zmy;q=0.3", "zmy", "application/vnd.zmy"},
	{"*/json, application/*json, /, application/, application/json;q=2", "error", ""},
	{";;;,,,", "error", ""},
	{"application, application/json/x, application/vnd.zmy x", "error", ""},
	{"  \t", "json", "application/json"},
	// Parameters name a variant; a range that has them stands for the media type
	// unless that is listed as well.
	{"application/json; charset=utf-8", "json", "application/json"},
	{"application/json;level=1;q=0.1, application/json;q=0.5, application/vnd.zmy;q=0.3", "json", "application/json"},
	{"application/json;level=1, application/json;q=0.2, application/vnd.zmy;q=0.3", "zmy", "application/vnd.zmy"},
	{"application/json;level=1;q=0, */*;q=0.5", "json", "application/json"},
	{"application/json;q=0.2;level=1, application/vnd.zmy;q=0.3", "zmy", "application/vnd.zmy"}, // what follows q is no parameter
	// Commas and semicolons in quotes separate nothing.
	{`application/json;a="x, */*;q=1";q=0.1, application/vnd.zmy;q=0.2`, "zmy", "application/vnd.zmy"},
	{`text/plain;a="\", application/json", application/vnd.zmy`, "zmy", "application/vnd.zmy"},
	{`text/plain;a="no end, application/json`, "error", ""},
	// Weights: the grammar, what clients send beside it, and what is none.
	{"application/json;Q=0.5 , application/vnd.zmy ; q = 0.6", "zmy", "application/vnd.zmy"},
	{"application/json;q=.5, application/vnd.zmy;q=0.4", "json", "application/json"},
	{"application/json;q=0.33333, application/vnd.zmy;q=0.333", "json", "application/json"},
	{"application/json;q=1.000, application/vnd.zmy;q=0.999", "json", "application/json"},
	{"application/json;q=0.001", "json", "application/json"},
	{"application/json;q=0.0000", "error", ""},
	{"application/json;q=0.0001", "json", "application/json"}, // hardly acceptable is not unacceptable
	{"application/json;q=0.0005, application/vnd.zmy;q=0.002", "zmy", "application/vnd.zmy"},
	{"application/json;q=0.00001, */*;q=0.0", "json", "application/json"},
	{"application/json;q=, application/json;q=-1, application/json;q=1e0, application/json;q=1.001, application/json;q=NaN", "error", ""},
	{"application/json;q=1.0009", "error", ""},
	{"application/json;q=1.0000", "json", "application/json"},
	{`application/json;q="1"`, "error", ""},
	{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "json", "application/json"}, // Java's HttpURLConnection
	{"application/*;q=0, text/*;q=0.1", "json", "text/json"},
	{"application/*, application/json;q=0", "zmy", "application/vnd.zmy"},
	{"*/*;q=0", "error", ""},
}

func TestNegotiate(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	for _, c := range negotiations {
		got, media, err := r.Negotiate(c.accept)
		if nameOf(got, err) != c.want || media != c.media {
			t.Errorf("Negotiate(%q) = %s as %q, want %s as %q (%v)", c.accept, nameOf(got, err), media, c.want, c.media, err)
		}
	}
	if err := r.SetDefault("zmy"); err != nil {
		t.Fatal(err)
	}
	if got, _, err := r.Negotiate("*/*"); nameOf(got, err) != "zmy" {
		t.Errorf("the default is not preferred: %s", nameOf(got, err))
	}
	if err := r.SetMediaType("application/json", "fast"); err != nil {
		t.Fatal(err)
	}
	if got, _, err := r.Negotiate("application/json"); nameOf(got, err) != "fast" {
		t.Errorf("after SetMediaType: %s", nameOf(got, err))
	}
	var none Registry
	for _, accept := range []string{"*/*", ""} {
		if _, _, err := none.Negotiate(accept); err == nil {
			t.Errorf("an empty registry negotiates %q", accept)
		}
	}
}

// A request may have several headers of the name; they count as one list.
func TestNegotiateSeveralHeaders(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	for _, c := range []struct {
		accept []string
		want   string
	}{
		{nil, "json"},
		{[]string{"", " "}, "json"},
		{[]string{"", "text/html"}, "error"},
		{[]string{"application/vnd.zmy", "application/json"}, "zmy"},
		{[]string{"application/json;q=0.1", "application/vnd.zmy;q=0.2"}, "zmy"},
		{[]string{"*/*", "application/json;q=0", "text/json;q=0"}, "zmy"},
	} {
		if got, _, err := r.Negotiate(c.accept...); nameOf(got, err) != c.want {
			t.Errorf("Negotiate(%q) = %s, want %s", c.accept, nameOf(got, err), c.want)
		}
	}
	_, _, err := r.Negotiate("text/html", "a/b")
	want := `codec: media type "text/html, a/b" is not registered; registered: application/json, application/vnd.zmy, text/json`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestMediaTypes(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	want := []string{"application/json", "text/json", "application/vnd.zmy"}
	if got := r.MediaTypes(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := errors.Join(r.SetDefault("zmy"), r.SetMediaType("Application/X-Any; v=1", "bare")); err != nil {
		t.Fatal(err)
	}
	want = []string{"application/vnd.zmy", "application/json", "text/json", "application/x-any"}
	if got := r.MediaTypes(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := new(Registry).MediaTypes(); len(got) != 0 {
		t.Errorf("an empty registry has %v", got)
	}
}

// More offers than have room without an allocation.
func TestNegotiateManyOffers(t *testing.T) {
	var r Registry
	for i := range 40 {
		name := fmt.Sprintf("c%d", i)
		if err := r.Register(fake{name: name, media: []string{"application/" + name}}); err != nil {
			t.Fatal(err)
		}
	}
	if got, media, err := r.Negotiate("application/c3;q=0.5, application/c39"); nameOf(got, err) != "c39" || media != "application/c39" {
		t.Errorf("%s as %s", nameOf(got, err), media)
	}
}

// The grammar, of which slowly is made.
const (
	token = `(?:[!#$%&'*+\-.^_\x60|~0-9A-Za-z]+)`
	value = `(?:` + token + `|"(?:[^"\\]|\\(?s:.))*"?|"(?:[^"\\]|\\(?s:.))*\\)`
	ws    = `[ \t]*`
)

var (
	element = regexp.MustCompile(`^(?:[^,"]|"(?:[^"\\]|\\(?s:.))*(?:"|\\?$))*`)
	whole   = regexp.MustCompile(`^` + ws + `(` + token + `)/(` + token + `)((?:` + ws + `;` + ws + `(?:` +
		token + `?(?:` + ws + `=` + ws + value + `?)?)?)*)` + ws)
	param  = regexp.MustCompile(`;` + ws + `(` + token + `)?` + ws + `(?:=` + ws + `(` + value + `)?)?`)
	weight = regexp.MustCompile(`^(?:0|0?\.[0-9]+|0\.[0-9]*|1|1\.0*)$`)
)

// slowly is Negotiate by regular expressions, each offer looked at by itself: the
// reference.
func slowly(accept string, offers []string) string {
	if strings.Trim(accept, " \t") == "" {
		return offers[0]
	}
	type found struct{ match, weight, rank int }
	best := make([]found, len(offers))
	for rank := 0; ; rank++ {
		one := element.FindString(accept)
		if m := whole.FindStringSubmatch(one); m != nil {
			kind, sub, q, params, stop := strings.ToLower(m[1]), strings.ToLower(m[2]), "1", false, false
			rest := one[len(m[0]):]
			for _, p := range param.FindAllStringSubmatch(m[3], -1) {
				switch {
				case stop || p[1] == "" && p[2] == "":
				case strings.EqualFold(p[1], "q"):
					q, stop = p[2], true
				default:
					params = true
				}
			}
			valid := weight.MatchString(q) && (rest == "" || stop) && (kind != "*" || sub == "*") &&
				(sub == "*" || !strings.Contains(sub, "*"))
			f, _ := strconv.ParseFloat(q, 64)
			thousandths := int(f*1000 + 1e-9)
			if strings.Trim(q, "0.") != "" {
				thousandths = max(thousandths, 1)
			}
			for i, o := range offers {
				match := 0
				switch {
				case kind == "*" && sub == "*":
					match = 1
				case sub == "*" && strings.HasPrefix(o, kind+"/"):
					match = 2
				case o == kind+"/"+sub && params && thousandths > 0:
					match = 3
				case o == kind+"/"+sub && !params:
					match = 4
				}
				if valid && match > best[i].match {
					best[i] = found{match, thousandths, rank}
				}
			}
		}
		if accept = accept[len(one):]; accept == "" {
			break
		}
		accept = accept[1:]
	}
	choice := -1
	for i, b := range best {
		if b.weight > 0 && (choice < 0 || b.weight > best[choice].weight || b.weight == best[choice].weight && b.rank < best[choice].rank) {
			choice = i
		}
	}
	if choice < 0 {
		return ""
	}
	return offers[choice]
}

// FuzzNegotiate: whatever the header, the answer is an error or a codec under a
// media type that is its own.
func FuzzNegotiate(f *testing.F) {
	for _, c := range negotiations {
		f.Add(c.accept)
	}
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	f.Fuzz(func(t *testing.T, accept string) {
		c, media, err := r.Negotiate(accept)
		if want := slowly(accept, r.MediaTypes()); media != want {
			t.Fatalf("Negotiate(%q) = %q, the reference finds %q", accept, media, want)
		}
		if err != nil {
			return
		}
		if !slices.Contains(mediaTypes(c), media) {
			t.Fatalf("Negotiate(%q) = %s as %q", accept, c.Name(), media)
		}
		if again, err := r.ByMediaType(media); err != nil || again.Name() != c.Name() {
			t.Fatalf("%q belongs to %v, not %s", media, again, c.Name())
		}
	})
}

func TestNegotiateDoesNotAllocate(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	for _, c := range negotiations {
		if c.want == "error" {
			continue
		}
		if n := testing.AllocsPerRun(100, func() { _, _, _ = r.Negotiate(c.accept) }); n != 0 {
			t.Errorf("Negotiate(%q): %v allocations, want none", c.accept, n)
		}
	}
}

// BenchmarkNegotiate is about headers as clients send them, to a registry of five codecs.
func BenchmarkNegotiate(b *testing.B) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare, Gob{},
		fake{name: "msgpack", media: []string{"application/msgpack", "application/x-msgpack"}},
		fake{name: "cbor", media: []string{"application/cbor"}})
	for _, k := range []struct{ client, accept string }{
		{"none", ""},
		{"curl", "*/*"},
		{"api", "application/json"},
		{"binary", "application/vnd.zmy, application/json;q=0.5"},
		{"axios", "application/json, text/plain, */*"},
		{"firefox", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
		{"chrome", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8," +
			"application/signed-exchange;v=b3;q=0.7"},
	} {
		b.Run(k.client, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := r.Negotiate(k.accept); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
