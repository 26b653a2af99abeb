package sample

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"
)

// OrderID returns an identifier such as ORD-2025-0184467-K4.
func OrderID(r *rand.Rand) string {
	return fmt.Sprintf("ORD-2025-%07d-%c%d", r.IntN(1e7), 'A'+r.IntN(26), r.IntN(10))
}

// SKU returns a stock number such as SKU-048213-QX.
func SKU(r *rand.Rand) string {
	return fmt.Sprintf("SKU-%06d-%c%c", r.IntN(1e6), 'A'+r.IntN(26), 'A'+r.IntN(26))
}

// ItemCount draws the number of items of an order from a Poisson distribution that is cut to 1–15
// and then has a mean of 4.2.
func ItemCount(r *rand.Rand) int { return itemCount().Draw(r) }

var itemCount = sync.OnceValue(func() *Discrete { return TruncatedPoisson(4.2, 1, 15) })

// Cents draws a price in cents. It is log-normal with a median of 24 euros, and half of all prices
// are changed to end in 99 or 49, as shop prices often do.
func Cents(r *rand.Rand) int64 {
	c := int64(math.Ceil(LogNormal(r, 2400, 0.9)))
	switch n := r.IntN(4); n {
	case 0, 1:
		return c/100*100 + 99 - int64(n)*50
	default:
		return c
	}
}

// Price returns a price as a float64 with two decimals.
func Price(r *rand.Rand) float64 { return float64(Cents(r)) / 100 }

// BigPrice returns a price as big.Float parses it from decimal text: 64 bits of
// precision, so that its shortest text reads back as the same value.
func BigPrice(r *rand.Rand) *big.Float {
	c := Cents(r)
	f, ok := new(big.Float).SetString(fmt.Sprintf("%d.%02d", c/100, c%100))
	if !ok {
		panic("sample: a price is not a number") // the text above is always a number
	}
	return f
}

// Round returns x rounded to the given number of decimals.
func Round(x float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.Round(x*p) / p
}

// ProductName returns a short name such as "Brixa kitchen lamp 240".
func ProductName(r *rand.Rand, brand string) string {
	s := brand + " " + Noun(r) + " " + Noun(r)
	if Chance(r, 0.4) {
		s += " " + strconv.Itoa(10*(1+r.IntN(90)))
	}
	return s
}

// Brand draws one of five thousand brand names. A few of them are far more frequent than the
// others.
func Brand(r *rand.Rand) string {
	v := words()
	first := VocabularySize - brands().n()
	return Title(v.words[first+brands().Draw(r)])
}

// brands is the distribution of brand names: the last 5,000 words of the vocabulary, which are made
// from syllables.
var brands = sync.OnceValue(func() *Discrete { return Zipf(5000, 1.05, 2.7) })

func (d *Discrete) n() int { return len(d.keep) }

// RawAttrs returns the compact JSON object of an item's attributes, 1–5 members,
// 20–120 bytes, without anything that encoding/json would rewrite.
func RawAttrs(r *rand.Rand) []byte {
	b := append(make([]byte, 0, 128), `{"color":`...)
	b = strconv.AppendQuote(b, Pick(r, colors))
	if Chance(r, 0.7) {
		b = append(b, `,"size":`...)
		b = strconv.AppendQuote(b, Pick(r, sizes))
	}
	if Chance(r, 0.4) {
		b = append(b, `,"warranty_months":`...)
		b = strconv.AppendInt(b, int64(12*(1+r.IntN(5))), 10)
	}
	if Chance(r, 0.5) {
		b = append(b, `,"rating":`...)
		b = strconv.AppendFloat(b, Round(1+4*r.Float64(), 1), 'g', -1, 64)
	}
	if Chance(r, 0.5) {
		b = append(b, `,"tags":[`...)
		b = strconv.AppendQuote(b, Noun(r))
		b = append(b, ',')
		b = strconv.AppendQuote(b, Noun(r))
		b = append(b, ']')
	}
	return append(b, '}')
}

var (
	colors = []string{"black", "white", "slate", "navy", "olive", "sand", "crimson", "teal", "ivory", "charcoal"}
	sizes  = []string{"XS", "S", "M", "L", "XL", "XXL", "38", "40", "42", "44", "one size"}
)

// OrderMetadata returns the values that services add to an order while they handle it. skus are the
// stock numbers of its items. The warehouse adds three values for each item, so that the share of
// dynamic values does not depend on the number of items.
func OrderMetadata(r *rand.Rand, at time.Time, skus []string) map[string]any {
	allocations := make(map[string]any, len(skus))
	for _, sku := range skus {
		allocations[sku] = map[string]any{
			"warehouse": Pick(r, []string{"FRA2", "AMS1", "WAW3", "MAD1"}),
			"bin":       r.IntN(20000),
			"reserved":  at.Add(time.Duration(r.Int64N(int64(90 * time.Second)))),
		}
	}
	return map[string]any{
		"channel":     Pick(r, []string{"web", "ios", "android", "phone", "store"}),
		"currency":    Pick(r, []string{"EUR", "USD", "GBP", "JPY"}),
		"gift":        Chance(r, 0.15),
		"points":      r.IntN(5000),
		"risk":        Round(r.Float64(), 3),
		"ledger":      BigInt(r, 120),
		"signature":   Bytes(r, 64),
		"placed":      at.Add(-time.Duration(r.Int64N(int64(10 * time.Minute)))),
		"allocations": allocations,
		"shipping": map[string]any{
			"carrier": Pick(r, []string{"DHL", "UPS", "DPD", "GLS"}),
			"cost":    Round(3+9*r.Float64(), 2),
			"express": Chance(r, 0.2),
			"address": address(r),
		},
	}
}

func address(r *rand.Rand) map[string]any {
	first, last := Name(r)
	city := Pick(r, [][2]string{{"Berlin", "DE"}, {"Lyon", "FR"}, {"Kraków", "PL"}, {"Sevilla", "ES"}, {"Malmö", "SE"}, {"Gent", "BE"}})
	return map[string]any{
		"name":    first + " " + last,
		"street":  Title(Noun(r)) + " Street",
		"number":  1 + r.IntN(200),
		"city":    city[0],
		"country": city[1],
	}
}

// properties are the names that web analytics gives to what it knows of an event, and how a value
// is drawn for each. The values are those that JSON has: texts, numbers, truth values.
var properties = []struct {
	name string
	draw func(r *rand.Rand) any
}{
	{"page_path", func(r *rand.Rand) any { return "/" + Noun(r) + "/" + Noun(r) }},
	{"page_title", func(r *rand.Rand) any { return Title(Noun(r)) }},
	{"page_referrer", func(r *rand.Rand) any { return "https://www.example.com/" + Noun(r) }},
	{"page_load_ms", func(r *rand.Rand) any { return int(LogNormal(r, 900, 0.6)) }},
	{"session_id", func(r *rand.Rand) any { return Hex(r, 12) }},
	{"session_number", func(r *rand.Rand) any { return 1 + r.IntN(90) }},
	{"user_id", func(r *rand.Rand) any { return "usr_" + Hex(r, 10) }},
	{"user_logged_in", func(r *rand.Rand) any { return Chance(r, 0.4) }},
	{"user_language", func(r *rand.Rand) any { return Pick(r, []string{"en", "de", "fr", "ja", "zh", "pt"}) }},
	{"device_type", func(r *rand.Rand) any { return Pick(r, []string{"desktop", "mobile", "tablet"}) }},
	{"device_width", func(r *rand.Rand) any { return 320 + 16*r.IntN(140) }},
	{"device_height", func(r *rand.Rand) any { return 480 + 16*r.IntN(100) }},
	{"device_pixel_ratio", func(r *rand.Rand) any { return Pick(r, []float64{1.25, 1.5, 2.625, 2.75}) }},
	{"browser", func(r *rand.Rand) any { return Pick(r, []string{"Chrome", "Firefox", "Safari", "Edge"}) }},
	{"browser_version", func(r *rand.Rand) any { return 100 + r.IntN(45) }},
	{"engagement_ms", func(r *rand.Rand) any { return int(LogNormal(r, 12000, 1)) }},
	{"os", func(r *rand.Rand) any { return Pick(r, []string{"Windows", "Android", "iOS", "macOS", "Linux"}) }},
	{"os_version", func(r *rand.Rand) any { return Pick(r, []string{"10", "11", "14.5", "17.4.1", "6.8"}) }},
	{"country", func(r *rand.Rand) any { return Pick(r, []string{"US", "DE", "FR", "JP", "CN", "BR", "GB"}) }},
	{"region", func(r *rand.Rand) any { return Pick(r, []string{"CA", "BY", "IDF", "13", "SP", "ENG"}) }},
	{"timezone_offset", func(r *rand.Rand) any { return 60 * (r.IntN(24) - 11) }},
	{"utm_source", func(r *rand.Rand) any { return Pick(r, []string{"newsletter", "search", "partner"}) }},
	{"utm_medium", func(r *rand.Rand) any { return Pick(r, []string{"email", "cpc", "referral"}) }},
	{"utm_campaign", func(r *rand.Rand) any { return Noun(r) + "-" + Hex(r, 2) }},
	{"scroll_depth", func(r *rand.Rand) any { return Round(r.Float64(), 2) }},
	{"clicks", func(r *rand.Rand) any { return r.IntN(40) }},
	{"is_first_visit", func(r *rand.Rand) any { return Chance(r, 0.3) }},
	{"consent_ads", func(r *rand.Rand) any { return Chance(r, 0.5) }},
	{"consent_analytics", func(r *rand.Rand) any { return Chance(r, 0.9) }},
	{"connection", func(r *rand.Rand) any { return Pick(r, []string{"4g", "wifi", "3g"}) }},
	{"cart_items", func(r *rand.Rand) any { return ItemCount(r) }},
	{"cart_value", func(r *rand.Rand) any { return Price(r) }},
	{"currency", func(r *rand.Rand) any { return Pick(r, []string{"USD", "EUR", "JPY", "CNY", "BRL", "GBP"}) }},
	{"coupon", func(r *rand.Rand) any { return Hex(r, 4) }},
	{"product_id", func(r *rand.Rand) any { return SKU(r) }},
	{"product_price", func(r *rand.Rand) any { return Price(r) }},
	{"experiment", func(r *rand.Rand) any { return "checkout-" + Noun(r) }},
	{"variant", func(r *rand.Rand) any { return Pick(r, []string{"control", "a", "b"}) }},
	{"server_ms", func(r *rand.Rand) any { return Round(LogNormal(r, 35, 0.7), 1) }},
	{"release", func(r *rand.Rand) any { return Hex(r, 5) }},
}

// Properties draws n properties of an event, at most 40. They are the same names each time.
func Properties(r *rand.Rand, n int) map[string]any {
	m := make(map[string]any, n)
	for _, p := range properties[:n] {
		m[p.name] = p.draw(r)
	}
	return m
}
