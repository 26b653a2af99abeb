package dynamic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"
)

// plain writes a scalar, a text or a number, wherever it stands, and reports
// whether v is one.
func (p *printer) plain(v any) bool {
	switch v := v.(type) {
	case bool:
		p.b = strconv.AppendBool(p.b, v)
	case string:
		p.text(v)
	case int64:
		p.b = strconv.AppendInt(p.b, v, 10)
	case uint64:
		p.b = strconv.AppendUint(p.b, v, 10)
	case time.Duration:
		p.b = strconv.AppendInt(p.b, int64(v), 10)
	case float64:
		p.float(v, math.Float64bits(v), 64)
	case float32:
		p.float(float64(v), uint64(math.Float32bits(v)), 32)
	case complex64:
		p.complex(complex128(v), 32, uint64(math.Float32bits(real(v))), uint64(math.Float32bits(imag(v))))
	case complex128:
		p.complex(v, 64, math.Float64bits(real(v)), math.Float64bits(imag(v)))
	case time.Time:
		p.b = append(appendTime(append(p.b, '"'), v), '"')
	case []byte:
		p.bytes(v)
	case json.RawMessage:
		p.raw(v)
	case *big.Int:
		p.int(v)
	case *big.Float:
		p.bigFloat(v)
	default:
		return false
	}
	return true
}

// float writes a float of so many bits, which are given too.
func (p *printer) float(f float64, bits uint64, size int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		p.text(specialFloat(f, bits, size))
		return
	}
	p.b = appendFloat(p.b, f, size)
}

// complex writes a complex number as text, or as two floats where that would not
// give it back.
func (p *printer) complex(v complex128, size int, re, im uint64) {
	if special := math.IsNaN(real(v)) || math.IsNaN(imag(v)); !special {
		p.text(strconv.FormatComplex(v, 'g', -1, 2*size))
		return
	}
	p.write("[")
	p.float(real(v), re, size)
	p.write(",")
	p.float(imag(v), im, size)
	p.write("]")
}

// int writes a number in decimal, or as text in hexadecimal where decimal digits
// would cost a hostile message's reader seconds.
func (p *printer) int(x *big.Int) {
	switch {
	case x == nil:
		p.write("null")
	case !p.ok(x.BitLen() / 3):
	case x.BitLen() > maxDecimal:
		p.text(fmt.Sprintf("%#x", x))
	default:
		p.b = x.Append(p.b, 10)
	}
}

const maxDecimal = 1 << 17 // bits

// bigFloat writes the text of a big float; the lossless one has precision and
// rounding mode too.
func (p *printer) bigFloat(x *big.Float) {
	switch {
	case x == nil:
		p.write("null")
	case p.lossless:
		p.text(exactFloat(x))
	default:
		p.text(floatText(x))
	}
}

// raw writes JSON text as it is, if it is some. The lossless form needs more: that
// it stands without white space, and is not taken for something else.
func (p *printer) raw(b []byte) {
	switch {
	case len(b) == 0 && !(p.lossless && b != nil):
		p.write("null")
	case p.lossless && !standsAlone(b):
		name, text := "$json", utf8.Valid(b)
		if !text {
			name = "$rawjson"
		}
		p.write("{")
		p.member(name, true)
		if text {
			p.text(string(b))
		} else {
			p.base64(b)
		}
		p.write("}")
	case p.lossless && p.ok(len(b)):
		p.b = append(p.b, b...)
	case json.Valid(b) && p.ok(len(b)):
		t, _ := json.Marshal(json.RawMessage(b)) // compact
		p.b = append(p.b, t...)
	default:
		p.base64(b)
	}
}

// standsAlone reports JSON text that is read as it was written.
func standsAlone(b []byte) bool {
	if !json.Valid(b) || !utf8.Valid(b) || bytes.HasPrefix(b, []byte(`{"$`)) || string(b) == "null" {
		return false
	}
	var tight bytes.Buffer
	return json.Compact(&tight, b) == nil && bytes.Equal(tight.Bytes(), b)
}
