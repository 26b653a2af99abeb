package values

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// spelling is one form of a value, for a type to read.
type spelling struct {
	text string
	raw  bool // text is JSON; else it is a string, which JSON quotes
}

func (s spelling) json() string {
	if s.raw {
		return s.text
	}
	b, err := json.Marshal(s.text)
	if err != nil {
		panic(err) // every string has a JSON form
	}
	return string(b)
}

// form draws spellings of one kind.
type form struct {
	words []string // names of fields that often hold it
	draw  func(f *filler, h hint) spelling
}

func (m *form) suits(h hint) bool {
	return slices.Contains(m.words, h.last()) || slices.Contains(m.words, h.pair())
}

// text returns a form whose spellings are strings, and raw returns one whose spellings are raw
// JSON. draw makes the content of a spelling. words are separated by commas; a word may be a pair:
// "ip address".
func text(words string, draw func(f *filler) string) *form {
	return &form{splitWords(words), func(f *filler, _ hint) spelling { return spelling{draw(f), false} }}
}

func raw(words string, draw func(f *filler) string) *form {
	return &form{splitWords(words), func(f *filler, _ hint) spelling { return spelling{draw(f), true} }}
}

// allForms lists the kinds of strings and documents that types read. A type that reads several of
// them, under a name that suits none, gets the first.
var allForms = []*form{
	raw("extension,raw,metadata,payload,data", func(f *filler) string { return string(f.drawRaw()) }),
	{nil, func(f *filler, h hint) spelling { return spelling{f.drawString(h), false} }}, // any string, by its name
	raw("port,count,qty,quantity,replicas,size", func(f *filler) string { return strconv.FormatInt(1+f.r.Int64N(30_000), 10) }),
	raw("price,amount,total,net,tax,fee,balance,rate", func(f *filler) string { return strings.TrimRight(f.decimal(2), "0") + "1" }),
	{[]string{"number"}, func(f *filler, h hint) spelling { return spelling{strconv.FormatInt(f.drawInt(h, 16), 10), true} }},
	raw("enabled,valid,open,active", func(f *filler) string { return strconv.FormatBool(f.chance(70)) }),
	text("price,amount,total,net,tax,fee,balance,rate", func(f *filler) string { return strings.TrimRight(f.decimal(2), "0") + "1" }),
	text("at,time,timestamp,created,updated", func(f *filler) string { return f.drawTime(hint{}).Truncate(time.Second).Format(time.RFC3339) }),
	text("at,time,timestamp,created,updated", func(f *filler) string { return f.drawTime(hint{}).Format("2006-01-02T15:04:05.000000Z07:00") }),
	text("date,day,due,birthday", func(f *filler) string { return f.drawTime(hint{}).Format(time.DateOnly) }),
	text("at,time,timestamp", func(f *filler) string { return f.drawTime(hint{}).Format(time.DateTime) }),
	text("clock", func(f *filler) string { return f.drawTime(hint{}).Format(time.TimeOnly) }),
	text("at,time,timestamp", func(f *filler) string { return f.drawTime(hint{}).Format("2006-01-02T15:04:05.000-0700") }),
	raw("at,time,timestamp,created,updated", func(f *filler) string { return strconv.FormatInt(f.drawTime(hint{}).Unix(), 10) }),
	text("duration,timeout,ttl,interval,period", func(f *filler) string {
		return time.Duration(f.drawDuration()).Round(time.Second).String()
	}),
	text("id,uuid,guid", (*filler).uuid),
	text("cpu,limits,requests", func(f *filler) string { return strconv.Itoa(50*(1+f.r.IntN(19))+10) + "m" }),
	text("memory,storage", func(f *filler) string { return strconv.Itoa(1+f.r.IntN(900)) + "Mi" }),
	text("ip", (*filler).ip),
	text("addr,address,endpoint,ip address", func(f *filler) string {
		return fmt.Sprintf("10.0.0.%d:%d", f.r.IntN(256), 1024+f.r.IntN(60_000))
	}),
	text("cidr,subnet,network,prefix", func(f *filler) string { return fmt.Sprintf("10.%d.0.0/16", f.r.IntN(256)) }),
	text("mac", (*filler).mac),
	text("email,mail", (*filler).email),
	text("url,uri,link,href", func(f *filler) string { return f.url("") }),
	text("version", func(f *filler) string { return fmt.Sprintf("%d.%d.%d", f.r.IntN(4), f.r.IntN(20), f.r.IntN(10)) }),
	text("digest", func(f *filler) string { return "sha256:" + f.hex(32) }),
	text("number,gas,value", func(f *filler) string { return "0x" + strconv.FormatInt(1+f.r.Int64N(1<<40), 16) }),
	text("address", func(f *filler) string { return "0x" + f.hex(20) }),
	text("hash,root", func(f *filler) string { return "0x" + f.hex(32) }),
	text("id", func(f *filler) string { return f.hex(12) }),
	text("trace", func(f *filler) string { return f.hex(16) }),
	text("commit,sha", func(f *filler) string { return f.hex(20) }),
	text("hash", func(f *filler) string { return f.hex(32) }),
	text("span", func(f *filler) string { return f.hex(8) }),
	text("id,ulid", (*filler).ulid),
	text("data,bytes", func(f *filler) string { return base64.StdEncoding.EncodeToString(f.randomBytes(24)) }),
	text("locale,language,lang", from(locales)),
	text("currency", from(currencies)),
	text("country", from(countries)),
	text("zone,timezone,tz", from(zones)),
	text("color", func(f *filler) string { return "#" + f.hex(3) }),
	text("", func(*filler) string { return "active" }),
	text("", func(*filler) string { return "true" }),
	text("port", func(f *filler) string { return strconv.Itoa(1 + f.r.IntN(30_000)) }),
	raw("", func(f *filler) string { return fmt.Sprintf("[%d,%q]", f.drawTime(hint{}).Unix(), f.decimal(2)) }), // a sample of a time series
	raw("", func(f *filler) string { return fmt.Sprintf("[%q,%q]", f.word(), f.word()) }),
	raw("position,coordinates", func(f *filler) string {
		return fmt.Sprintf("[%.4f,%.4f]", f.r.Float64()*360-180, f.r.Float64()*180-90)
	}),
	raw("", func(f *filler) string {
		return fmt.Sprintf(`{"type":"Point","coordinates":[%.4f,%.4f]}`, f.r.Float64()*360-180, f.r.Float64()*180-90) // GeoJSON
	}),
	raw("", tagged), // attributes of DynamoDB
	raw("", func(f *filler) string { // CloudEvents 1.0
		return fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"/%s","type":"com.example.%s",`+
			`"datacontenttype":"application/json","time":%q,"data":{"id":%d}}`,
			f.uuid(), f.word(), f.word(), f.drawTime(hint{}).Truncate(time.Second).Format(time.RFC3339), f.r.IntN(1000))
	}),
}

// tagged draws an object with one member, whose name is the type of its value.
func tagged(f *filler) string {
	switch f.r.IntN(8) {
	case 0, 1:
		return fmt.Sprintf(`{"N":"%d"}`, f.r.IntN(10_000))
	case 2:
		return fmt.Sprintf(`{"BOOL":%t}`, f.chance(50))
	case 3:
		return fmt.Sprintf(`{"SS":[%q]}`, f.word())
	}
	return fmt.Sprintf(`{"S":%q}`, f.phrase(2))
}
