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

// plain writes v if it is a scalar, a string, bytes or a big number, and reports whether it is.
// These are written in the same way inside and outside of any.
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

// float writes f, which has size bits. bits is its bit pattern, for NaNs.
func (p *printer) float(f float64, bits uint64, size int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		p.text(specialFloat(f, bits, size))
		return
	}
	p.b = appendFloat(p.b, f, size)
}

// complex writes a complex number as a string, or as an array of two floats if a part is NaN,
// because the string would lose the NaN's bits.
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

// int writes x in decimal. If x has more than maxDecimal bits it is a hexadecimal string:
// converting it to decimal would take seconds, which a hostile message could exploit.
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

// bigFloat writes x as a string. In the lossless form that includes precision and rounding mode.
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

// raw writes JSON text unchanged if it is valid. In the lossless form it must also be compact, and
// not look like a mark or null; otherwise it is written as a marked string.
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

// standsAlone reports whether JSON text can be written without a mark and reads back unchanged.
func standsAlone(b []byte) bool {
	if !json.Valid(b) || !utf8.Valid(b) || bytes.HasPrefix(b, []byte(`{"$`)) || string(b) == "null" {
		return false
	}
	var tight bytes.Buffer
	return json.Compact(&tight, b) == nil && bytes.Equal(tight.Bytes(), b)
}
