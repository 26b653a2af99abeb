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

var intsByEnd = ruleTable(
	named("id,ids,number,no,seq,sequence,offset,cursor", spread(1_000, 1<<40)),
	hinted("timestamp,ts,time,at,millis,created,updated,expires,expiry,modified",
		func(f *filler, h hint) int64 { return f.drawTime(h).UnixMilli() }),
	hinted("seconds,unix,epoch", func(f *filler, h hint) int64 { return f.drawTime(h).Unix() }),
	hinted("nanos,ns", func(f *filler, h hint) int64 { return f.drawTime(h).UnixNano() }),
	named("phone,mobile,msisdn", between(1_000_000_000, 100_000_000_000)),
	named("age", between(18, 91)),
	named("year", between(1990, 2027)),
	named("month", between(1, 13)),
	named("day", between(1, 29)),
	named("hour", between(0, 24)),
	named("minute,second", between(0, 60)),
	named("port", between(1024, 65_024)),
	named("qty,quantity,count,num,level,priority,retry,attempt,stock,floor,version,index,page", spread(1, 50)),
	named("score,percent,percentage,rating,progress", between(0, 101)),
	named("price,amount,balance,cost,total,cents,fee,tax", func(f *filler) int64 { return int64(math.Round(f.balance() * 100)) }),
	named("width,height,depth,length", spread(10, 4096)),
	named("duration,latency,ms,timeout,ttl,elapsed", spread(1, 60_000)),
	named("status,code", func(f *filler) int64 {
		return []int64{200, 200, 200, 201, 204, 301, 400, 401, 404, 500}[f.r.IntN(10)]
	}),
	named("size,bytes", spread(16, 1<<26)),
)

// between returns a function that draws integers from lo to hi, without hi, all equally often.
func between(lo, hi int64) func(*filler) int64 {
	return func(f *filler) int64 { return lo + f.r.Int64N(hi-lo) }
}

// spread returns a function that draws integers from lo to hi, log-uniform.
func spread(lo, hi float64) func(*filler) int64 {
	return func(f *filler) int64 { return int64(f.logUniform(lo, hi)) }
}

func (f *filler) namedInt(h hint) int64 {
	if draw := intsByEnd.of(h); draw != nil {
		return draw(f, h)
	}
	n := int64(f.logUniform(1, 1_000_000))
	if f.chance(3) {
		return -n
	}
	return n
}

var floatsByEnd = ruleTable(
	named("price,amount,balance,cost,total,fee,tax,subtotal,discount", (*filler).balance),
	named("lat,latitude", rounded(6, func(f *filler) float64 { return f.r.Float64()*180 - 90 })),
	named("lon,lng,longitude,long", rounded(6, func(f *filler) float64 { return f.r.Float64()*360 - 180 })),
	named("rate,ratio,percent,percentage,probability,confidence,share", rounded(4, func(f *filler) float64 { return f.r.Float64() })),
	named("score,rating", rounded(1, func(f *filler) float64 { return f.r.Float64() * 5 })),
	named("quantity,qty,count,units", rounded(0, logUniform(1, 50))),
	named("seconds,duration,latency,elapsed,timeout", rounded(3, logUniform(0.001, 60))),
	named("speed,velocity", rounded(1, logUniform(0.5, 200))),
	named("weight,height,width,depth,length,distance,size,volume", rounded(2, logUniform(0.1, 500))),
	named("temperature,temp,humidity,pressure,voltage", rounded(2, func(f *filler) float64 { return 20 + f.r.NormFloat64()*8 })),
)

// rounded returns draw with its results rounded to a number of decimal places.
func rounded(places int, draw func(*filler) float64) func(*filler) float64 {
	return func(f *filler) float64 { return round(draw(f), places) }
}

func logUniform(lo, hi float64) func(*filler) float64 {
	return func(f *filler) float64 { return f.logUniform(lo, hi) }
}

func (f *filler) drawFloat(h hint) float64 {
	if draw := floatsByEnd.of(h); draw != nil {
		return draw(f, h)
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
