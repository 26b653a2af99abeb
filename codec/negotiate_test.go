package codec

import (
	"slices"
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
	if _, _, err := none.Negotiate("*/*"); err == nil {
		t.Error("an empty registry negotiates")
	}
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
