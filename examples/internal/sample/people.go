package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

var firstNames = []string{
	"Ada", "Aisha", "Alejandro", "Amara", "Anna", "Ben", "Camille", "Carlos", "Chen", "Chloé",
	"Daniel", "Dmitri", "Elena", "Emma", "Fatima", "Felix", "Gabriela", "Grace", "Hana", "Hugo",
	"Ines", "Isaac", "Jakub", "Jamal", "Jana", "José", "Kai", "Karin", "Kofi", "Lars",
	"Leila", "Liam", "Lucía", "Maya", "Mei", "Mohammed", "Nadia", "Noah", "Olga", "Olivia",
	"Paul", "Priya", "Rahul", "Rosa", "Sam", "Sofia", "Søren", "Tariq", "Thomas", "Uma",
	"Valentina", "Victor", "Wei", "William", "Ximena", "Yara", "Yusuf", "Zeynep", "Zoë", "Ömer",
}

var lastNames = []string{
	"Abebe", "Almeida", "Andersson", "Bauer", "Becker", "Bianchi", "Brown", "Castro", "Costa", "Davies",
	"Diaz", "Dubois", "Fernández", "Fischer", "García", "Gupta", "Haddad", "Hansen", "Hoffmann", "Ivanova",
	"Jensen", "Johnson", "Kaya", "Khan", "Kim", "Kowalski", "Larsen", "Lee", "Lopez", "Martin",
	"Mensah", "Meyer", "Müller", "Nakamura", "Nguyen", "Novák", "O'Brien", "Okafor", "Olsen", "Park",
	"Patel", "Petrov", "Popescu", "Ramos", "Rossi", "Sato", "Schmidt", "Silva", "Singh", "Smith",
	"Suzuki", "Tanaka", "Taylor", "Torres", "Virtanen", "Wang", "Weber", "Williams", "Yılmaz", "Zhang",
}

// Name returns a first name and a surname; about one in six has a letter outside ASCII.
func Name(r *rand.Rand) (first, last string) {
	return Pick(r, firstNames), Pick(r, lastNames)
}

// The domains are reserved for documentation (RFC 2606), so no value is a real person's.
var mailDomains = []string{"example.com", "example.net", "example.org", "mail.example.com", "corp.example"}

var toASCII = strings.NewReplacer(
	"é", "e", "è", "e", "ë", "e", "á", "a", "í", "i", "ı", "i", "ó", "o", "ø", "o", "ö", "o", "ü", "u", "'", "",
)

func plain(name string) string { return toASCII.Replace(strings.ToLower(name)) }

// UserName returns the name as people sign in: ada.novak.
func UserName(first, last string) string { return plain(first) + "." + plain(last) }

// Email returns an address for the name, in ASCII.
func Email(r *rand.Rand, first, last string) string {
	f, l := plain(first), plain(last)
	domain := Pick(r, mailDomains)
	switch r.IntN(4) {
	case 0:
		return f + "@" + domain
	case 1:
		return fmt.Sprintf("%s.%s%d@%s", f, l, r.IntN(100), domain)
	default:
		return f + "." + l + "@" + domain
	}
}

// IP returns an IPv4 address, or once in five an IPv6 one, from the blocks that
// are reserved for documentation and private use (RFC 1918, RFC 3849).
func IP(r *rand.Rand) string {
	if Chance(r, 0.2) {
		return fmt.Sprintf("2001:db8:%x:%x::%x", r.IntN(1<<16), r.IntN(1<<16), 1+r.IntN(1<<16-1))
	}
	return fmt.Sprintf("10.%d.%d.%d", r.IntN(256), r.IntN(256), 1+r.IntN(254))
}

// UserAgent draws the user agent of a browser, 80–140 bytes. Browsers have about the shares that
// they have on a public website.
func UserAgent(r *rand.Rand) string {
	chrome := 118 + r.IntN(24)
	switch n := r.IntN(100); {
	case n < 45:
		os := Pick(r, []string{"Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7", "X11; Linux x86_64"})
		return fmt.Sprintf("Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Safari/537.36", os, chrome)
	case n < 65:
		return fmt.Sprintf("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.0.0 Mobile "+
			"Safari/537.36", chrome)
	case n < 88:
		v := fmt.Sprintf("%d_%d", 16+r.IntN(3), r.IntN(7))
		return fmt.Sprintf("Mozilla/5.0 (iPhone; CPU iPhone OS %s like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "+
			"Version/%s Mobile/15E148 Safari/604.1",
			v, strings.Replace(v, "_", ".", 1))
	default:
		v := 120 + r.IntN(24)
		return fmt.Sprintf("Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/%d.0", v, v)
	}
}
