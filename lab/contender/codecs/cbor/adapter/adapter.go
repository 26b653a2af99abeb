//go:build ignore

// Package adapter makes a contender of github.com/fxamacker/cbor/v2. Times are tagged RFC 3339 text
// with nanoseconds, so they come back as times inside `any` too. Types with text methods
// (big.Float) are text. Inside `any`, maps decode to map[string]any and integers to int64.
package adapter

import (
	"bytes"
	"reflect"

	"github.com/fxamacker/cbor/v2"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T.
func New[T any]() worker.Contender[T] {
	enc, err := cbor.EncOptions{
		Time:          cbor.TimeRFC3339Nano,
		TimeTag:       cbor.EncTagRequired,
		TextMarshaler: cbor.TextMarshalerTextString,
	}.UserBufferEncMode()
	if err != nil {
		panic(err)
	}
	dec, err := cbor.DecOptions{
		DefaultMapType:   reflect.TypeFor[map[string]any](),
		IntDec:           cbor.IntDecConvertSignedOrBigInt,
		TextUnmarshaler:  cbor.TextUnmarshalerTextString,
		MaxArrayElements: 1 << 24,
		MaxMapPairs:      1 << 24,
	}.DecMode()
	if err != nil {
		panic(err)
	}
	appendTo := func() func([]byte, any) ([]byte, error) {
		var buf bytes.Buffer // kept, so that the codec is not charged for a new buffer in each call
		return func(dst []byte, v any) ([]byte, error) {
			buf = *bytes.NewBuffer(dst)
			err := enc.MarshalToBuffer(v, &buf)
			return buf.Bytes(), err
		}
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			worker.Marshal[T]("fresh", enc.Marshal),
			worker.Append[T]("append", appendTo),
		},
		Decoders: worker.Unmarshal[T](dec.Unmarshal),
	}
}
