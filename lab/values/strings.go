package values

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// NOTE: a string is drawn by the end of its name, since the end says what a thing is: the email
// address of a street is an email address. If no rule knows the end, a telling word anywhere in the
// name decides.

func from(list []string) func(*filler) string {
	return func(f *filler) string { return pick(f.r, list) }
}

var stringsByEnd = ruleTable(
	named("wallet address", func(f *filler) string { return "0x" + f.hex(20) }),
	named("card number", (*filler).card),
	named("account number", func(f *filler) string { return f.digits(10) }),
	named("serial number", func(f *filler) string { return f.code("SN") }),
	named("status code", from([]string{"200", "200", "200", "201", "204", "301", "400", "401", "404", "500"})),
	named("span id", func(f *filler) string { return f.hex(8) }),
	named("trace id", func(f *filler) string { return f.hex(16) }),
	named("git sha,commit id", func(f *filler) string { return f.hex(20) }),
	hinted("of birth,birth date", func(f *filler, h hint) string { return f.drawTime(h).Format(time.DateOnly) }),
	named("email address,email,mail", (*filler).email),
	named("phone number,mobile number,phone,mobile,tel,fax,telephone,cell", (*filler).phone),
	named("ip address,remote address,ip,addr,remote", (*filler).ip),
	named("avatar,image,photo,picture,icon,logo,thumbnail", func(f *filler) string { return f.url(".jpg") }),
	named("url,uri,link,href,website,homepage,endpoint,referer,referrer,callback", func(f *filler) string { return f.url("") }),
	named("uuid,guid", (*filler).uuid),
	hinted("id,key,ref,reference", (*filler).id),
	named("sku", func(f *filler) string { return f.code("SKU") }),
	named("token,secret,jwt,cookie,password,nonce,salt", func(f *filler) string { return f.token(32) }),
	named("hash,digest,checksum,sha,etag,signature,fingerprint,md", func(f *filler) string { return f.hex(32) }),
	named("agent", from(agents)),
	named("country code,country,nationality", from(countries)),
	named("currency code,currency", from(currencies)),
	named("city,town", from(cities)),
	named("street,address", func(f *filler) string {
		return fmt.Sprintf("%d %s St", 1+f.r.IntN(400), pick(f.r, asciiLast))
	}),
	named("postal code,post code,zip code,zip,postcode,postal", func(f *filler) string { return f.digits(5) }),
	named("mac address,mac", (*filler).mac),
	named("iban", func(f *filler) string { return pick(f.r, countries) + f.digits(20) }),
	named("bic,swift", func(f *filler) string { return strings.ToUpper(f.letters(4)) + pick(f.r, countries) + "2X" }),
	named("isbn,ean,gtin,barcode,upc", func(f *filler) string { return "978" + f.digits(10) }),
	named("isin", func(f *filler) string { return pick(f.r, countries) + strings.ToUpper(f.hex(4)) + f.digits(2) }),
	named("ticker,symbol", func(f *filler) string { return strings.ToUpper(f.letters(3 + f.r.IntN(2))) }),
	named("vat,ssn,passport", func(f *filler) string { return f.digits(9) }),
	named("slug,permalink", func(f *filler) string { return strings.ReplaceAll(f.phrase(3), " ", "-") }),
	named("domain,fqdn", func(f *filler) string { return pick(f.r, words) + ".example.com" }),
	named("birthday,birthdate,dob", func(f *filler) string { return f.drawTime(hintOf("Birthday", "")).Format(time.DateOnly) }),
	named("ulid", (*filler).ulid),
	hinted("lat,latitude,lon,lng,longitude", func(f *filler, h hint) string { return fmt.Sprintf("%.6f", f.drawFloat(h)) }),
	named("duration,timeout,ttl,interval,latency", func(f *filler) string { return f.drawDuration().Round(time.Millisecond).String() }),
	named("region,province", from(regions)),
	named("language code,locale code,language,lang,locale", from(locales)),
	named("time zone,timezone,tz,zone", from(zones)),
	named("status,state,phase", from(statuses)),
	named("role,permission,scope", from(roles)),
	named("type,kind,category,class,group,segment", from(kinds)),
	named("event,action,topic", from(events)),
	named("level,severity", from([]string{"debug", "info", "info", "info", "warn", "error"})),
	named("gender,sex", from([]string{"female", "male", "other"})),
	named("color,colour", from(colors)),
	named("size", from([]string{"XS", "S", "M", "L", "XL"})),
	named("unit", from([]string{"kg", "g", "m", "cm", "l", "pcs"})),
	named("tag,label,keyword", from(words)),
	named("company,organization,organisation,vendor,brand,manufacturer,merchant,supplier", from(companies)),
	named("username,login,handle,nick,nickname", (*filler).login),
	hinted("name", (*filler).name),
	named("author,owner,sender,recipient,customer,assignee", (*filler).person),
	named("surname", from(lastNames)),
	named("title,subject,headline,caption", func(f *filler) string { return f.title(2 + f.r.IntN(5)) }),
	named("description,summary,comment,note,message,body,content,text,bio,about,reason,data,detail,details", (*filler).text),
	named("version", func(f *filler) string {
		return fmt.Sprintf("%d.%d.%d", f.r.IntN(4), f.r.IntN(20), f.r.IntN(10))
	}),
	named("path,file,filename,dir", func(f *filler) string {
		return "/" + pick(f.r, words) + "/" + pick(f.r, words) + ".txt"
	}),
	named("host,hostname,server,node", (*filler).host),
	named("method", from([]string{"GET", "GET", "GET", "POST", "PUT", "DELETE"})),
	named("content type,media type,mime type,mime,mimetype", from(mimes)),
	named("price,amount,balance,cost,total,fee,tax,decimal", func(f *filler) string { return f.decimal(2) }),
	named("code,number", func(f *filler) string { return f.code("") }),
	hinted("at,date,time,timestamp,created,updated", func(f *filler, h hint) string { return f.drawTime(h).Format(time.RFC3339) }),
	named("first,given", from(firstNames)),
)

// stringsByAny holds rules that are tried for each word of a name if no rule of stringsByEnd
// matches.
var stringsByAny = ruleTable(
	named("token,secret,session,password", func(f *filler) string { return f.token(32) }),
	named("email", (*filler).email),
	named("url,link", func(f *filler) string { return f.url("") }),
	named("ip", (*filler).ip),
	named("description,comment,text", (*filler).text),
)

// drawString draws a string by name. If no rule matches the name, it draws one to three words.
func (f *filler) drawString(h hint) string {
	if draw := stringsByEnd.of(h); draw != nil {
		return draw(f, h)
	}
	for _, w := range h.words {
		if draw := stringsByAny[w]; draw != nil {
			return draw(f, h)
		}
	}
	s := f.phrase(1 + f.r.IntN(3))
	if f.chance(4) { // letters beyond ASCII
		s += " " + pick(f.r, foreign)
	}
	return s
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func (f *filler) email() string {
	return f.login() + "@" + pick(f.r, []string{"example.com", "example.org", "mail.example.net"})
}

func (f *filler) login() string {
	s := strings.ToLower(pick(f.r, asciiFirst) + "." + pick(f.r, asciiLast))
	if f.chance(30) {
		s += fmt.Sprint(f.r.IntN(100))
	}
	return s
}

// person draws a full name, sometimes with letters beyond ASCII.
func (f *filler) person() string { return pick(f.r, firstNames) + " " + pick(f.r, lastNames) }

func (f *filler) name(h hint) string {
	switch {
	case h.has("first", "given"):
		return pick(f.r, firstNames)
	case h.has("last", "family"):
		return pick(f.r, lastNames)
	case h.has("user", "login"):
		return f.login()
	case h.has("file"):
		return pick(f.r, words) + ".txt"
	case h.has("host", "domain"):
		return f.host()
	case h.has("company", "brand"):
		return pick(f.r, companies)
	case h.of("product", "item", "sku", "article", "details", "category", "event"):
		return f.title(2)
	}
	return f.person()
}

func (f *filler) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + f.r.IntN(10))
	}
	return string(b)
}

func (f *filler) letters(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + f.r.IntN(26))
	}
	return string(b)
}

func (f *filler) mac() string {
	b := f.randomBytes(6)
	return fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4], b[5])
}

// card draws the number of a payment card with a valid check digit (ISO/IEC 7812-1).
func (f *filler) card() string {
	s := "4" + f.digits(14)
	sum := 0
	for i := range len(s) {
		d := int(s[i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return s + string(byte('0'+(10-sum%10)%10))
}

// ulid draws 26 characters in Crockford's base 32, beginning with 01.
func (f *filler) ulid() string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	b := []byte("01")
	for range 24 {
		b = append(b, alphabet[f.r.IntN(len(alphabet))])
	}
	return string(b)
}

func (f *filler) phone() string {
	return fmt.Sprintf("+%d %03d %07d", 1+f.r.IntN(98), f.r.IntN(1000), f.r.IntN(10_000_000))
}

// ip draws an address; one in five is of version 6.
func (f *filler) ip() string {
	if f.chance(20) {
		return fmt.Sprintf("2001:db8:%x:%x::%x", 1+f.r.IntN(65535), 1+f.r.IntN(65535), 1+f.r.IntN(65535))
	}
	return fmt.Sprintf("%d.%d.%d.%d", 1+f.r.IntN(223), f.r.IntN(256), f.r.IntN(256), 1+f.r.IntN(254))
}

func (f *filler) host() string {
	return pick(f.r, words) + fmt.Sprintf("-%d.example.net", f.r.IntN(64))
}

func (f *filler) url(suffix string) string {
	s := "https://" + pick(f.r, []string{"www", "cdn", "api"}) + ".example.com/" + pick(f.r, words) + "/" + f.hex(6) + suffix
	if suffix == "" && f.chance(30) {
		s += "?page=" + fmt.Sprint(f.r.IntN(50)) + "&sort=" + pick(f.r, words)
	}
	return s
}

func (f *filler) randomBytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(f.r.UintN(256))
	}
	return b
}

func (f *filler) hex(n int) string   { return hex.EncodeToString(f.randomBytes(n)) }
func (f *filler) token(n int) string { return base64.RawURLEncoding.EncodeToString(f.randomBytes(n)) }

func (f *filler) uuid() string {
	b := f.randomBytes(16)
	b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// id draws an identifier. If the name or its owner says of what, it is a short one with a prefix,
// else a UUID.
func (f *filler) id(h hint) string {
	of := append(append([]string{}, h.words[:max(0, len(h.words)-1)]...), h.owner...)
	if len(of) == 0 || len(of[0]) < 3 || h.has("trace", "request", "correlation", "session") {
		return f.uuid()
	}
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	b := []byte(of[0][:3] + "_")
	for range 16 {
		b = append(b, alphabet[f.r.IntN(len(alphabet))])
	}
	return string(b)
}

func (f *filler) code(prefix string) string {
	if prefix == "" {
		prefix = string([]byte{byte('A' + f.r.IntN(26)), byte('A' + f.r.IntN(26))})
	}
	return fmt.Sprintf("%s-%c%c%05d", prefix, 'A'+f.r.IntN(26), 'A'+f.r.IntN(26), f.r.IntN(100_000))
}

// decimal draws a positive amount as text.
func (f *filler) decimal(places int) string {
	return fmt.Sprintf("%.*f", places, f.amount())
}

// word draws a word by Zipf's law: the first words are by far the most frequent.
func (f *filler) word() string {
	return words[f.zipf.Uint64()]
}

func (f *filler) phrase(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = f.word()
	}
	return strings.Join(out, " ")
}

func (f *filler) title(n int) string {
	out := strings.Fields(f.phrase(n))
	for i, w := range out {
		out[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(out, " ")
}

// text draws one to four sentences. One text in four contains something that JSON escapes or that
// is not ASCII: quotes, other letters, a line break.
func (f *filler) text() string {
	var out []string
	for range 1 + f.r.IntN(4) {
		s := f.phrase(4 + f.r.IntN(9))
		out = append(out, strings.ToUpper(s[:1])+s[1:]+".")
	}
	s := strings.Join(out, " ")
	switch f.r.IntN(12) {
	case 0:
		s += " “" + pick(f.r, firstNames) + "” — très bien."
	case 1:
		s += " See \"" + f.word() + "\" & co."
	case 2:
		s = strings.Replace(s, ". ", ".\n", 1)
	}
	return s
}
