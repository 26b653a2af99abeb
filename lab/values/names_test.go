package values

import (
	"math"
	"math/rand/v2"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Names tell what a value is: each of these is drawn as what it says.
func TestNames(t *testing.T) {
	match := func(expr string) func(string) bool { return regexp.MustCompile(`^(?:` + expr + `)$`).MatchString }
	is := func(list []string) func(string) bool {
		return func(s string) bool { return slices.Contains(list, s) }
	}
	email := func(s string) bool { _, err := mail.ParseAddress(s); return err == nil }
	address := func(s string) bool { _, err := netip.ParseAddr(s); return err == nil }
	day := func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }
	span := func(s string) bool { _, err := time.ParseDuration(s); return err == nil }
	for name, ok := range map[string]func(string) bool{
		"Email": email, "EmailAddress": email, "contact_email": email, "WorkEmails": email,
		"IP": address, "IPAddress": address, "ClientIP": address, "RemoteAddr": address,
		"MACAddress":  func(s string) bool { m, err := net.ParseMAC(s); return err == nil && len(m) == 6 },
		"PhoneNumber": match(`\+\d+ \d{3} \d{7}`), "Mobile": match(`\+\d+ \d{3} \d{7}`),
		"HomepageURL": func(s string) bool { u, err := url.Parse(s); return err == nil && u.Host != "" },
		"UUID":        match(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`), "ULID": match(`01[0-9A-HJKMNP-TV-Z]{24}`),
		"TraceID": match(`[0-9a-f]{32}`), "SpanID": match(`[0-9a-f]{16}`),
		"Country": is(countries), "CountryCode": is(countries), "CurrencyCode": is(currencies), "TimeZone": is(zones), "Timezone": is(zones),
		"ContentType": is(mimes), "Language": is(locales), "PostalCode": match(`\d{5}`), "ZipCode": match(`\d{5}`),
		"StreetAddress": match(`\d+ \w+ St`), "ShippingAddress": match(`\d+ \w+ St`),
		"CardNumber": func(s string) bool { return len(s) == 16 && luhn(s) }, "IBAN": match(`[A-Z]{2}\d{20}`), "ISBN": match(`978\d{10}`),
		"Ticker": match(`[A-Z]{3,4}`), "Slug": match(`[a-z]+(-[a-z]+)+`), "DateOfBirth": day, "BirthDate": day, "Birthday": day,
		"Timeout": span, "CreatedAt": func(s string) bool { _, err := time.Parse(time.RFC3339, s); return err == nil },
		"Latitude": match(`-?\d{1,2}\.\d{6}`), "Price": match(`\d+\.\d\d`), "StatusCode": match(`\d{3}`), "UserAgent": is(agents),
	} {
		for seed := range uint64(20) {
			f := newFiller(rand.New(rand.NewPCG(seed, 1)), newLore())
			h := hintOf(name, "Thing")
			if name[len(name)-1] == 's' && name != "IPAddress" && name != "EmailAddress" && name != "MACAddress" &&
				name != "StreetAddress" && name != "ShippingAddress" {
				h = h.single()
			}
			if s := f.drawString(h); !ok(s) {
				t.Errorf("%s: %q", name, s)
				break
			}
		}
	}
}

// luhn is the sum over every second digit doubled, from the right.
func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}

// Numbers keep to what their names promise.
func TestNumberNames(t *testing.T) {
	for name, bounds := range map[string][2]float64{
		"Age": {18, 91}, "Port": {1024, 65_024}, "Quantity": {1, 50}, "Price": {0.5, 5000}, "Latitude": {-90, 90}, "Rating": {0, 100},
		"Month": {1, 12},
		"Phone": {1e9, 1e11}, "Timeout": {0.001, 60_000}, "CreatedAt": {1.6e12, 1.9e12},
	} {
		for seed := range uint64(50) {
			f := newFiller(rand.New(rand.NewPCG(seed, 1)), newLore())
			h := hintOf(name, "")
			n := float64(f.drawInt(h, 64))
			if name == "Price" {
				n /= 100 // cents
			}
			x := f.drawFloat(h)
			if name == "Price" { // some are refunds
				n, x = math.Abs(n), math.Abs(x)
			}
			float := name == "Price" || name == "Latitude" || name == "Rating" || name == "Quantity" || name == "Timeout"
			if name != "Latitude" && (n < bounds[0] || n > bounds[1]) || float && (x < bounds[0] || x > bounds[1]) {
				t.Errorf("%s: %v and %v, not from %v to %v", name, n, x, bounds[0], bounds[1])
				break
			}
		}
	}
	if !reflect.DeepEqual(split("IPAddress"), []string{"ip", "address"}) {
		t.Errorf("IPAddress is split into %q", split("IPAddress"))
	}
}

// TestBetween: among plausible values are some that codecs treat in another way, as whole prices,
// refunds, and letters beyond ASCII; they are few.
func TestBetween(t *testing.T) {
	f := newFiller(rand.New(rand.NewPCG(1, 1)), newLore())
	const n = 2000
	seen := map[string]int{}
	for range n {
		x := f.drawFloat(hintOf("Price", ""))
		if x == math.Trunc(x) {
			seen["whole price"]++
		}
		if x < 0 {
			seen["refund"]++
		}
		if f.drawInt(hintOf("TotalCents", ""), 64) < 0 {
			seen["refund in cents"]++
		}
		for _, name := range []string{"LastName", "Remark"} {
			if s := f.drawString(hintOf(name, "")); strings.ContainsFunc(s, func(r rune) bool { return r > 127 }) {
				seen[name+" beyond ASCII"]++
			}
		}
	}
	for _, what := range []string{"whole price", "refund", "refund in cents", "LastName beyond ASCII", "Remark beyond ASCII"} {
		if got := seen[what]; got < n/100 || got > n/4 {
			t.Errorf("%s: %d of %d", what, got, n)
		}
	}
}
