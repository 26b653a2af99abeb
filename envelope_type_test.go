package zmy_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// crate and parcel have the same shape, pallet another.
type (
	crate struct {
		Mass int64  `zmy:"0"`
		Mark string `zmy:"1"`
	}
	parcel crate
	pallet struct {
		Mass int64 `zmy:"0"`
		Size int64 `zmy:"1"`
	}
	nameless crate // has no fingerprint
)

func (*crate) ZMYFingerprint() uint64  { return 0xa1 }
func (*parcel) ZMYFingerprint() uint64 { return 0xb2 }
func (*pallet) ZMYFingerprint() uint64 { return 0xc3 }

// Exact refuses the envelope of another type; without it the message decides, and
// its error says that the types differ.
func TestUnsealOtherType(t *testing.T) {
	sealed := func(o zmy.SealOptions) func() ([]byte, error) {
		return func() ([]byte, error) { return o.Seal(&crate{5, "x"}) }
	}
	streamed := func() ([]byte, error) {
		var b bytes.Buffer
		w := zmy.NewWriter(&b)
		err := errors.Join(w.Marshal(&crate{5, "x"}), w.Close())
		return b.Bytes(), err
	}
	unseal := zmy.OpenOptions.Unseal
	receive := func(o zmy.OpenOptions, b []byte, v any) error { return o.Receive(bytes.NewReader(b), v) }
	read := func(o zmy.OpenOptions, b []byte, v any) error { return o.NewReader(bytes.NewReader(b)).Unmarshal(v) }
	const version = "(the writer's type has fingerprint 00000000000000a1, *zmy_test.parcel has 00000000000000b2: another " +
		"version, or another type)"
	for _, c := range []struct {
		name  string
		write func() ([]byte, error)
		read  func(zmy.OpenOptions, []byte, any) error
		exact bool
		v     any
		code  error
		want  string // in the text
	}{
		{"same type", sealed(zmy.SealOptions{}), unseal, true, new(crate), nil, ""},
		{"same shape", sealed(zmy.SealOptions{}), unseal, false, new(parcel), nil, ""},
		{"exact", sealed(zmy.SealOptions{}), unseal, true, new(parcel), zmy.ErrVersion,
			"open envelope: struct of another version of the type at offset 8 " + version},
		{"exact, received", sealed(zmy.SealOptions{}), receive, true, new(parcel), zmy.ErrVersion, version},
		{"exact, stream", streamed, read, true, new(parcel), zmy.ErrVersion,
			"read stream: struct of another version of the type at offset 8 " + version},
		{"exact, received stream", streamed, receive, true, new(parcel), zmy.ErrVersion, version},
		{"reader without", sealed(zmy.SealOptions{}), unseal, true, new(nameless), nil, ""},
		{"writer without", func() ([]byte, error) { return zmy.Seal(&nameless{5, "x"}) }, unseal, true, new(parcel), nil, ""},
		{"other shape", sealed(zmy.SealOptions{}), unseal, false, new(pallet), zmy.ErrMixed,
			"; the writer's type has fingerprint 00000000000000a1, *zmy_test.pallet has 00000000000000c3"},
		{"other shape, stream", streamed, read, false, new(pallet), zmy.ErrMixed, "00000000000000c3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := c.write()
			if err != nil {
				t.Fatal(err)
			}
			err = c.read(zmy.OpenOptions{Unmarshal: zmy.UnmarshalOptions{Exact: c.exact}}, b, c.v)
			if !errors.Is(err, c.code) || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %v: %s", err, c.code, c.want)
			}
		})
	}
}

// Where the types are the same, or not known, an error has no word of them.
func TestUnsealSameTypeError(t *testing.T) {
	for _, fingerprint := range []uint64{0, 0xc3} {
		b, err := zmy.SealOptions{Fingerprint: fingerprint}.AppendMessage(nil, []byte{1, 2, 3, 4})
		if err != nil {
			t.Fatal(err)
		}
		if err := zmy.Unseal(b, new(pallet)); err == nil || strings.Contains(err.Error(), "fingerprint") {
			t.Errorf("%x: %v", fingerprint, err)
		}
	}
}

type shelf[T any] struct {
	Items []T `zmy:"0"`
}

// Describe asks methods, which instances of generic types do not have: the error
// names their functions.
func TestDescribeGeneric(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{&shelf[crate]{}, "*zmy_test.shelf[github.com/zmylab/zmy_test.crate] has no schema block; set Schema: " +
			"[]byte(ZMYSchemaShelfCrate()) and Fingerprint: ZMYFingerprintShelfCrate(), "},
		{shelf[string]{}, "set Schema: []byte(ZMYSchemaShelfString())"},
		{shelf[[]string]{}, "set Schema: []byte(ZMYSchemaShelf…())"},
		{&nameless{}, "generate its code anew, or set Schema"},
		{&struct {
			A int `zmy:"0"`
		}{}, "generate its code anew, or set Schema"},
	} {
		_, err := zmy.SealOptions{Describe: true}.Seal(c.v)
		if !errors.Is(err, zmy.ErrNoGeneratedCode) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v", c.v, err)
		}
	}
}

// Each function that is given what is for another says for which.
func TestWrongFunction(t *testing.T) {
	sealed, err := zmy.Seal(&crate{5, "x"})
	if err != nil {
		t.Fatal(err)
	}
	streamed := stream(t, zmy.SealOptions{}, []byte{0, 0, 0, 0})
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"unmarshal an envelope", zmy.Unmarshal(sealed, new(crate)), "; this is an envelope: use Unseal"},
		{"unmarshal an envelope, generated code", zmy.Unmarshal(sealed, new(zmycase.Order)), "; this is an envelope: use Unseal"},
		{"unmarshal a stream", zmy.Unmarshal(streamed, new(crate)), "; this is a stream: use NewReader or Receive"},
		{"unseal a stream", zmy.Unseal(streamed, new(crate)), "this is a stream; read it with NewReader"},
		{"read an envelope", zmy.NewReader(bytes.NewReader(sealed)).Unmarshal(new(crate)),
			"this is an envelope; use Unseal, or Receive, which reads both"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	if err := zmy.Unmarshal([]byte("ZMY"), new(crate)); err == nil || strings.Contains(err.Error(), "envelope") {
		t.Error(err)
	}
}
