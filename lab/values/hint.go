package values

import (
	"slices"
	"strings"
	"unicode"
)

// hint is what a name reveals about a value: the words of the name in lower case, and those of the
// name of the type around it.
type hint struct {
	words   []string
	owner   []string
	element bool // it is in a slice or map, so never nil or empty
}

// hintOf returns the hint of a field's name: "UserIDs" of Session → user, ids.
func hintOf(name, owner string) hint {
	return hint{words: split(name), owner: split(owner)}
}

// hints caches hints by name and owner, since every value has the same names.
type hints map[[2]string]hint

func (m hints) of(name, owner string) hint {
	key := [2]string{name, owner}
	h, ok := m[key]
	if !ok {
		h = hintOf(name, owner)
		m[key] = h
	}
	return h
}

// split splits a name at changes of case, underscores and digits.
func split(name string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.ToLower(string(cur)))
			cur = cur[:0]
		}
	}
	rs := []rune(strings.ReplaceAll(strings.ReplaceAll(name, "IPv4", "IP"), "IPv6", "IP"))
	for i, r := range rs {
		switch {
		case !unicode.IsLetter(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(rs[i-1]):
			flush()
		case unicode.IsUpper(r) && i+1 < len(rs) && unicode.IsLower(rs[i+1]) && !plural(rs[i+1:]):
			flush() // the U of HTTPUser, but not the D of IDs
		}
		cur = append(cur, r)
	}
	flush()
	return out
}

// plural reports whether rest is the s of a plural acronym: IDs, URLs.
func plural(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || !unicode.IsLower(rest[1]))
}

// single returns the hint for one element of h: Emails → email.
func (h hint) single() hint {
	out := hint{owner: h.owner, element: true}
	if n := len(h.words); n > 0 {
		out.words = append(append(out.words, h.words[:n-1]...), singular(h.words[n-1]))
	}
	return out
}

func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), len(w) < 3:
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// last returns the last word of the name, which says what a thing is: the id of a user id.
func (h hint) last() string {
	if len(h.words) == 0 {
		return ""
	}
	return h.words[len(h.words)-1]
}

// pair returns the last two words of the name, or "" if it has only one.
func (h hint) pair() string {
	if len(h.words) < 2 {
		return ""
	}
	return strings.Join(h.words[len(h.words)-2:], " ")
}

// has reports whether one of the name's words is among names.
func (h hint) has(names ...string) bool { return hasAny(h.words, names) }

// of reports whether one of the words of the owner's name is among names.
func (h hint) of(names ...string) bool { return hasAny(h.owner, names) }

func hasAny(words, names []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(names, w) })
}

// rule draws values of type T for names that end in one of its words, or in one of its pairs of
// words.
type rule[T any] struct {
	words []string
	draw  func(f *filler, h hint) T
}

// named and hinted return rules for words or pairs of words, separated by commas. Most rules do not
// look at the rest of the name.
func named[T any](words string, draw func(*filler) T) rule[T] {
	return hinted(words, func(f *filler, _ hint) T { return draw(f) })
}

func hinted[T any](words string, draw func(*filler, hint) T) rule[T] {
	return rule[T]{splitWords(words), draw}
}

func splitWords(words string) []string {
	return strings.FieldsFunc(words, func(c rune) bool { return c == ',' })
}

// rules holds the functions of rules by word or pair of words.
type rules[T any] map[string]func(*filler, hint) T

// ruleTable returns the rules by word. No two of them may have a word in common.
func ruleTable[T any](list ...rule[T]) rules[T] {
	m := rules[T]{}
	for _, r := range list {
		for _, w := range r.words {
			m[w] = r.draw
		}
	}
	return m
}

// of returns the function for the end of a name, or nil. A pair of words comes before the last word
// alone: an email address is no street, and a country code is no product code.
func (m rules[T]) of(h hint) func(*filler, hint) T {
	if draw := m[h.pair()]; draw != nil {
		return draw
	}
	return m[h.last()]
}
