package jsontest

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/zmylab/zmy/codec"
)

func TestStdJSON(t *testing.T) { Run(t, codec.StdJSON{}) }
func TestFXJSON(t *testing.T)  { Run(t, codec.FXJSON{}) }

// unescaped writes < as it is.
type unescaped struct{ codec.StdJSON }

func (unescaped) Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// vague has errors of no class.
type vague struct{ codec.StdJSON }

func (v vague) Unmarshal(b []byte, x any) error {
	if err := v.StdJSON.Unmarshal(b, x); err != nil {
		return errors.New("it did not work")
	}
	return nil
}

// TestNotices: codecs that do otherwise are found.
func TestNotices(t *testing.T) {
	if got := len(bytesDiffer(unescaped{})); got != 1 {
		t.Errorf("%d of the bytes of a codec that escapes nothing differ, want those of one text", got)
	}
	if got := len(classesDiffer(vague{})); got != 6 {
		t.Errorf("%d classes of a codec without differ, want 6", got)
	}
}
