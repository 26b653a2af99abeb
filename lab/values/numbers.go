package values

import (
	"math"
	"time"
)

func round(x float64, places int) float64 {
	p := math.Pow10(places)
	return math.Round(x*p) / p
}

// amount draws a price from 0.5 to 5,000, log-uniform, with two decimals; one in twelve is a whole
// number.
func (f *filler) amount() float64 {
	x := f.logUniform(0.5, 5_000)
	if f.chance(8) {
		return math.Ceil(x)
	}
	return round(x, 2)
}

// balance draws an amount; one in twenty-five is negative, like a refund.
func (f *filler) balance() float64 {
	if f.chance(4) {
		return -f.amount()
	}
	return f.amount()
}

func (f *filler) logUniform(lo, hi float64) float64 {
	return lo * math.Exp(f.r.Float64()*math.Log(hi/lo))
}

func (f *filler) drawBool(h hint) bool {
	switch {
	case h.has("active", "enabled", "valid", "verified", "visible", "ok", "success", "public"):
		return f.chance(80)
	case h.has("deleted", "banned", "blocked", "archived", "replay", "hidden", "error", "failed"):
		return f.chance(8)
	}
	return f.chance(50)
}

// drawInt draws an integer of at most the given number of bits, by name.
func (f *filler) drawInt(h hint, bits int) int64 {
	n := f.namedInt(h)
	for limit := int64(1)<<(bits-1) - 1; n > limit || -n > limit; {
		n /= 251 // a prime, so that no pattern in the digits survives
	}
	return n
}

func (f *filler) namedInt(h hint) int64 {
	switch h.last() {
	case "id", "ids", "number", "no", "seq", "sequence", "offset", "cursor":
		return int64(f.logUniform(1_000, 1<<40))
	case "timestamp", "ts", "time", "at", "millis", "created", "updated", "expires", "expiry", "modified":
		return f.drawTime(h).UnixMilli()
	case "seconds", "unix", "epoch":
		return f.drawTime(h).Unix()
	case "nanos", "ns":
		return f.drawTime(h).UnixNano()
	case "phone", "mobile", "msisdn":
		return 1_000_000_000 + f.r.Int64N(99_000_000_000)
	case "age":
		return 18 + f.r.Int64N(73)
	case "year":
		return 1990 + f.r.Int64N(37)
	case "month":
		return 1 + f.r.Int64N(12)
	case "day":
		return 1 + f.r.Int64N(28)
	case "hour":
		return f.r.Int64N(24)
	case "minute", "second":
		return f.r.Int64N(60)
	case "port":
		return 1024 + f.r.Int64N(64_000)
	case "qty", "quantity", "count", "num", "level", "priority", "retry", "attempt", "stock", "floor", "version", "index", "page":
		return int64(f.logUniform(1, 50))
	case "score", "percent", "percentage", "rating", "progress":
		return f.r.Int64N(101)
	case "price", "amount", "balance", "cost", "total", "cents", "fee", "tax":
		return int64(math.Round(f.balance() * 100))
	case "width", "height", "depth", "length":
		return int64(f.logUniform(10, 4096))
	case "duration", "latency", "ms", "timeout", "ttl", "elapsed":
		return int64(f.logUniform(1, 60_000))
	case "status", "code":
		return []int64{200, 200, 200, 201, 204, 301, 400, 401, 404, 500}[f.r.IntN(10)]
	case "size", "bytes":
		return int64(f.logUniform(16, 1<<26))
	}
	n := int64(f.logUniform(1, 1_000_000))
	if f.chance(3) {
		return -n
	}
	return n
}

func (f *filler) drawFloat(h hint) float64 {
	switch h.last() {
	case "price", "amount", "balance", "cost", "total", "fee", "tax", "subtotal", "discount":
		return f.balance()
	case "lat", "latitude":
		return round(f.r.Float64()*180-90, 6)
	case "lon", "lng", "longitude", "long":
		return round(f.r.Float64()*360-180, 6)
	case "rate", "ratio", "percent", "percentage", "probability", "confidence", "share":
		return round(f.r.Float64(), 4)
	case "score", "rating":
		return round(f.r.Float64()*5, 1)
	case "quantity", "qty", "count", "units":
		return round(f.logUniform(1, 50), 0)
	case "seconds", "duration", "latency", "elapsed", "timeout":
		return round(f.logUniform(0.001, 60), 3)
	case "speed", "velocity":
		return round(f.logUniform(0.5, 200), 1)
	case "weight", "height", "width", "depth", "length", "distance", "size", "volume":
		return round(f.logUniform(0.1, 500), 2)
	case "temperature", "temp", "humidity", "pressure", "voltage":
		return round(20+f.r.NormFloat64()*8, 2)
	}
	return float64(float32(f.r.NormFloat64()*100*4096)) / 4096
}

// The years of drawn times. They are fixed, and do not depend on the present, so that values never
// change.
var (
	timesFrom = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	timesSpan = int64(3 * 365 * 24 * time.Hour / time.Microsecond)
)

// drawTime draws an instant in whole microseconds, UTC.
func (f *filler) drawTime(h hint) time.Time {
	t := timesFrom.Add(time.Duration(f.r.Int64N(timesSpan)) * time.Microsecond)
	switch {
	case h.has("birth", "birthday", "birthdate", "dob", "born"):
		return t.AddDate(-20-f.r.IntN(50), 0, 0).Truncate(24 * time.Hour)
	case h.last() == "date", h.last() == "day":
		return t.Truncate(24 * time.Hour)
	case h.has("expires", "expiry", "expiration", "due", "until", "end", "ends", "deadline"):
		return t.AddDate(3, 0, 0)
	}
	return t
}

// drawDuration draws a duration from 1 ms to 6 h in whole microseconds.
func (f *filler) drawDuration() time.Duration {
	return time.Duration(f.logUniform(1e3, 6*3600e6)) * time.Microsecond
}

// drawBytes draws random bytes: 64 to 1,024 if the name suggests content, 32 for hashes and keys,
// else 8 to 64. One in ten is nil.
func (f *filler) drawBytes(h hint) []byte {
	switch {
	case !h.element && !f.dense && f.chance(10):
		return nil
	case h.has("data", "payload", "body", "blob", "content", "image", "raw", "value"):
		return f.randomBytes(int(f.logUniform(64, 1024)))
	case h.has("hash", "digest", "checksum", "sha", "key"):
		return f.randomBytes(32)
	}
	return f.randomBytes(int(f.logUniform(8, 64)))
}
