package codec

import (
	"reflect"
	"slices"
	"testing"
)

type ofItsOwn struct{}

// TestNegotiateFor: for a type with codecs of its own negotiation is that of a registry whose
// default they are, for any other what it was.
func TestNegotiateFor(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	if err := SetTypeFor[ofItsOwn](r, "zmy", "fast"); err != nil {
		t.Fatal(err)
	}
	preferring := NewRegistry(fakeZMY, fakeFast, fakeJSON, fakeBare)
	typ := reflect.TypeFor[**ofItsOwn]()
	for _, c := range negotiations {
		want, wantMedia, wantErr := preferring.Negotiate(c.accept)
		got, media, err := r.NegotiateFor(typ, c.accept)
		if (err == nil) != (wantErr == nil) || media != wantMedia || err == nil && got.Name() != want.Name() {
			t.Errorf("%q: %v %q %v, want %v %q", c.accept, got, media, err, want, wantMedia)
		}
		if n := testing.AllocsPerRun(100, func() { _, _, _ = r.NegotiateFor(typ, c.accept) }); err == nil && n != 0 {
			t.Errorf("%q: %v allocations", c.accept, n)
		}
		want, wantMedia, _ = r.Negotiate(c.accept)
		for _, other := range []reflect.Type{nil, reflect.TypeFor[int](), reflect.TypeFor[any]()} {
			if got, media, err := r.NegotiateFor(other, c.accept); media != wantMedia || err == nil && got.Name() != want.Name() {
				t.Errorf("%q for %v: %v %q, want %v %q", c.accept, other, got, media, want, wantMedia)
			}
		}
		if i, err := NegotiateAmong(r.MediaTypes(), c.accept); (err != nil) != (c.want == "error") ||
			err == nil && r.MediaTypes()[i] != c.media {
			t.Errorf("%q among %q: %d %v, want %q", c.accept, r.MediaTypes(), i, err, c.media)
		}
	}
	if i, err := NegotiateAmong(nil); err == nil {
		t.Errorf("among nothing: %d", i)
	}
}

// TestMediaTypesFor: the media types of a type's own codecs come first, then those of the default.
func TestMediaTypesFor(t *testing.T) {
	r := NewRegistry(fakeJSON, fakeZMY, fakeFast, fakeBare)
	if err := SetTypeFor[ofItsOwn](r, "zmy"); err != nil {
		t.Fatal(err)
	}
	want := []string{"application/vnd.zmy", "application/json", "text/json"}
	if got := r.MediaTypesFor(reflect.TypeFor[*ofItsOwn]()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, other := range []reflect.Type{nil, reflect.TypeFor[int]()} {
		if got := r.MediaTypesFor(other); !slices.Equal(got, r.MediaTypes()) {
			t.Errorf("for %v: %q", other, got)
		}
	}
}

// TestTypesOwnMediaTypes: the media type that two codecs have belongs to the type's own for it.
func TestTypesOwnMediaTypes(t *testing.T) {
	other := fake{name: "other", media: fakeJSON.media}
	r := NewRegistry(fakeJSON, fakeZMY, other)
	typ := reflect.TypeFor[ofItsOwn]()
	if err := r.SetType(typ, "zmy", "other"); err != nil {
		t.Fatal(err)
	}
	media := fakeJSON.media[0]
	name := func(c Codec, err error) string {
		if err != nil {
			return err.Error()
		}
		return c.Name()
	}
	if got := name(r.ByMediaTypeFor(typ, media+"; charset=utf-8")); got != "other" {
		t.Errorf("read by %s", got)
	}
	if got := name(r.ByMediaTypeFor(nil, media)); got != fakeJSON.name {
		t.Errorf("other types are read by %s", got)
	}
	if c, _, _ := r.NegotiateFor(typ, media); c.Name() != "other" {
		t.Errorf("written by %s", c.Name())
	}
	if got := name(r.ForType(typ)); got != "zmy" {
		t.Errorf("For: %s", got)
	}
	if err := r.Unregister("zmy"); err != nil {
		t.Fatal(err)
	}
	if got := name(r.ForType(typ)); got != "other" {
		t.Errorf("without its first: %s", got)
	}
	if err := r.Unregister("other"); err != nil {
		t.Fatal(err)
	}
	if got := name(r.ByMediaTypeFor(typ, media)) + name(r.ForType(typ)); got != fakeJSON.name+fakeJSON.name {
		t.Errorf("without both: %s", got)
	}
	if err := r.SetType(typ, "json", "none"); err == nil {
		t.Error("a codec that is not registered is set")
	}
}
