package fxjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/internal/jsontypes"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// checkOptions compares what encoding/json has as options of its streams.
func checkOptions(t *testing.T, kind func() any, doc, doc2 []byte) {
	t.Helper()
	v := kind()
	if json.Unmarshal(doc, v) == nil {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		wantErr := enc.Encode(v)
		got, err := fxjson.MarshalOptions{SortMapKeys: true}.Marshal(v)
		if !sameError(err, wantErr) || err == nil && string(got)+"\n" != want.String() {
			t.Fatalf("plain HTML of %T:\nhave %s, %v\nwant %s, %v", v, got, err, &want, wantErr)
		}
		sorted, err := fxjson.Marshal(v)
		if err == nil {
			loose, err := fxjson.MarshalOptions{EscapeHTML: true}.Marshal(v)
			if err != nil || !reflect.DeepEqual(histogram(loose), histogram(sorted)) {
				t.Fatalf("unsorted %T:\nhave %s, %v\nwant %s in any order", v, loose, err, sorted)
			}
		}
	}
	for _, opt := range []fxjson.UnmarshalOptions{{UseNumber: true}, {DisallowUnknownFields: true},
		{UseNumber: true, DisallowUnknownFields: true, ShareStrings: true}} {
		std := func(doc []byte, v any) error {
			if err := json.Unmarshal(doc, new(json.RawMessage)); err != nil {
				return err
			}
			d := json.NewDecoder(bytes.NewReader(doc))
			if opt.UseNumber {
				d.UseNumber()
			}
			if opt.DisallowUnknownFields {
				d.DisallowUnknownFields()
			}
			return d.Decode(v)
		}
		got, want := kind(), kind()
		err, wantErr := opt.Unmarshal(doc, got), std(doc, want)
		if !sameError(err, wantErr) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v of %q into %T:\nhave %s, %v\nwant %s, %v", opt, doc, got, show(got), err, show(want), wantErr)
		}
		err, wantErr = opt.Unmarshal(doc2, got), std(doc2, want)
		if reflect.TypeOf(err) != reflect.TypeOf(wantErr) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v of %q into used %T:\nhave %s, %v\nwant %s, %v", opt, doc2, got, show(got), err, show(want), wantErr)
		}
	}
	got, want := kind(), kind()
	err, wantErr := fxjson.UnmarshalOptions{FastErrors: true}.Unmarshal(doc, got), json.Unmarshal(doc, want)
	if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) || !sameOffset(err, wantErr) {
		t.Fatalf("fast errors of %q into %T:\nhave %s, %v at %d\nwant %s, %v at %d", doc, got, show(got), err, offset(err), show(want),
			wantErr, offset(wantErr))
	}
}

// sameOffset compares offsets. Version 2 of encoding/json knows one for errors
// that have none in version 1 and in FastErrors, counts differently where the
// grammar is at fault, and knows none for numbers as texts.
func sameOffset(err, want error) bool {
	var typ *json.UnmarshalTypeError
	number := errors.As(want, &typ) && typ.Type == reflect.TypeFor[json.Number]() && typ.Offset == 0
	return offset(err) == offset(want) || jsonwire.StdV2 && (offset(err) < 0 || number || errors.As(err, new(*fxjson.MalformedError)))
}

// offset is where an error says that it is, -1 if it does not.
func offset(err error) int64 {
	var syntax *json.SyntaxError
	var malformed *fxjson.MalformedError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &malformed):
		return malformed.Offset
	case errors.As(err, &typ):
		return typ.Offset
	}
	return -1
}

func histogram(b []byte) (h [256]int) {
	for _, c := range b {
		h[c]++
	}
	return h
}

func TestOptions(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	all := kinds
	for _, typ := range parts {
		all = append(all, func() any { return reflect.New(typ).Interface() })
	}
	for _, kind := range all {
		for range runs(40) {
			v := kind()
			fill(r, reflect.ValueOf(v).Elem(), 3)
			doc, err := json.Marshal(v)
			if err != nil {
				continue
			}
			checkOptions(t, kind, doc, doc)
			checkOptions(t, kind, mutate(r, doc), doc)
			checkOptions(t, kind, doc, mutate(r, doc))
			checkOptions(t, kind, append([]byte(`{"surplus":{"a":[1]},`), doc[min(1, len(doc)):]...), doc)
		}
	}
	price := jsontypes.Prices{One: 1.005, Many: []float64{1, 0.12349}} // which only reflection sees under options
	want, err := fxjson.Marshal(&price)
	if got, err2 := (fxjson.MarshalOptions{}).Marshal(&price); err != nil || err2 != nil || !bytes.Equal(got, want) {
		t.Errorf("have %s, %v, want %s, %v", got, err2, want, err)
	}
	for _, doc := range values {
		for _, kind := range all {
			checkOptions(t, kind, []byte(doc), []byte(`{"Any":`+doc+`}`))
			checkOptions(t, kind, []byte(`{"Any":`+doc+`,"Map":{"a":[`+doc+`]}}`), []byte(doc))
		}
	}
	big := []byte(`{"Strings":["` + strings.Repeat("x", 70<<10) + `","y\n"]}`)
	checkOptions(t, func() any { return new(jsontypes.Composites) }, big, big)
}

// TestFastErrorsOfArrays holds that errors name the type of an array, generated code or not.
func TestFastErrorsOfArrays(t *testing.T) {
	type pair [2]int
	type plain struct {
		Named pair
		Array [3]string
	}
	for doc, kind := range map[string]func() any{
		`{"Array":"x"}`: func() any { return new(plain) }, `{"Named":5}`: func() any { return new(plain) },
		`{"Array":5}`:        func() any { return new(jsontypes.Composites) },
		`{"ByteArray":true}`: func() any { return new(jsontypes.Composites) },
		`{"Cube":[[1],"x"]}`: func() any { return new(jsontypes.Composites) },
	} {
		var got, want *json.UnmarshalTypeError
		if err := (fxjson.UnmarshalOptions{FastErrors: true}).Unmarshal([]byte(doc), kind()); !errors.As(err, &got) {
			t.Fatalf("%s: %v", doc, err)
		}
		if err := json.Unmarshal([]byte(doc), kind()); !errors.As(err, &want) {
			t.Fatalf("%s: %v", doc, err)
		}
		if got.Type != want.Type {
			t.Errorf("%s into %T: %v, want %v", doc, kind(), got.Type, want.Type)
		}
	}
}
