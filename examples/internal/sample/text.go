package sample

import (
	"math/rand/v2"
	"strings"
	"sync"
	"unicode/utf8"
)

// VocabularySize is the number of words that [Text] draws from.
const VocabularySize = 6000

// The frequent words, most frequent first: the function words of English, then words for the goods
// in a catalogue.
const (
	functionWords = `the and of a with for to in is your this it from that or on are be by as you can not all an our at
each more made has use one two new up out set will its any only fit please note may vary slightly
due before after between under over without inside outside around through during while when where
which than then also most very even well just about other same every provides protects prevents
allows keeps comes works holds fits lasts supports reduces improves adds makes offers ensures helps`

	catalogueWords = `size color design quality easy high case water steel black white cotton light power small large full
home free cover screen battery wood metal glass leather kit pack soft strong inch cable front back
side top base hand travel outdoor kitchen office garden wall table chair lamp bag shoe shirt jacket
watch phone camera speaker charger stainless adjustable durable waterproof wireless portable
lightweight premium classic modern compact natural organic safe clean dry cool warm fast quiet
smooth bright clear simple perfect ideal suitable compatible includes included features designed
storage surface material finish handle strap zipper pocket lining sole heel collar sleeve button
buckle hinge drawer shelf rack hook stand mount bracket adapter plug socket switch sensor motor pump
filter valve nozzle hose blade knife pan pot bowl plate cup mug bottle jar lid tray basket bin box
crate pallet carton label tag sticker paper pencil brush paint canvas frame mirror curtain carpet
blanket pillow mattress towel sheet fabric linen wool silk denim nylon polyester rubber foam cork
bamboo oak walnut pine marble granite ceramic copper brass bronze silver gold titanium carbon fiber
aluminum plastic acrylic vinyl resin silicone red blue green yellow orange purple pink grey brown
beige navy olive teal ivory charcoal sand weight length width height depth diameter capacity volume
pressure temperature voltage current output input range speed mode level degree hour minute second
day week month year warranty return shipping order item unit pair piece dozen series edition model
version style pattern texture shape edge corner indoor camping hiking running cycling swimming
fishing hunting climbing sailing skiing yoga gym sport baby kids men women adult dog cat pet bird
fish plant seed soil flower tree grass lawn patio printer scanner monitor keyboard mouse laptop
tablet router modem drive memory card reader headset microphone tripod lens flash projector remote
antenna receiver amplifier turntable guitar piano drum coffee tea chocolate honey sugar salt pepper
spice oil vinegar flour rice pasta bean fruit juice soap shampoo lotion cream balm perfume razor
comb bandage thermometer scale hammer screwdriver wrench drill saw sander clamp ladder toolbox glove
goggle helmet vest boot tire wheel brake pedal chain saddle rim tube bearing gasket seal bolt nut
washer screw nail rivet`
)

// The parts of syllables, from which the rare words of the vocabulary are made.
var (
	onsets = strings.Fields("b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sk st t tr v w z")
	nuclei = strings.Fields("a e i o u ai ea ia io ou y")
	codas  = strings.Fields("n r l s t x nd rt sk th m ck ll ne")
)

type vocabulary struct {
	words       []string
	ranks       *Discrete
	nouns       []string // the catalogue's words
	nounRanks   *Discrete
	phrases     [][]string // stock phrases of 3–6 words
	phraseRanks *Discrete
}

const phraseCount = 400

var words = sync.OnceValue(func() *vocabulary {
	seen := make(map[string]bool, VocabularySize)
	v := &vocabulary{ranks: Zipf(VocabularySize, 1.05, 2.7)}
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			v.words = append(v.words, w)
		}
	}
	for _, w := range strings.Fields(functionWords) {
		add(w)
	}
	v.nouns = strings.Fields(catalogueWords)
	v.nounRanks = Zipf(len(v.nouns), 1.05, 20)
	for _, w := range v.nouns {
		add(w)
	}
	r := rand.New(rand.NewPCG(1953, 1949)) // fixed: the vocabulary is a constant
	for len(v.words) < VocabularySize {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			b.WriteString(Pick(r, onsets))
			b.WriteString(Pick(r, nuclei))
		}
		if Chance(r, 0.6) {
			b.WriteString(Pick(r, codas))
		}
		if b.Len() >= 4 {
			add(b.String())
		}
	}
	v.phraseRanks = Zipf(phraseCount, 1.05, 2.7)
	for range phraseCount {
		phrase := make([]string, 3+r.IntN(4))
		for i := range phrase {
			phrase[i] = v.words[v.ranks.Draw(r)]
		}
		v.phrases = append(v.phrases, phrase)
	}
	return v
})

// Word returns one word of the vocabulary by its frequency.
func Word(r *rand.Rand) string {
	v := words()
	return v.words[v.ranks.Draw(r)]
}

// Noun returns one of the catalogue's words: for names, tags and topics, where
// "of" or "the" would look odd.
func Noun(r *rand.Rand) string {
	v := words()
	return v.nouns[v.nounRanks.Draw(r)]
}

// Text returns n words, n > 0, as sentences of 5–14 words with commas and full stops.
func Text(r *rand.Rand, n int) string {
	v := words()
	var b strings.Builder
	b.Grow(7 * n)
	var phrase []string // rest of the stock phrase that was begun
	left := 0           // words left in the sentence
	for i := range n {
		if len(phrase) == 0 && Chance(r, 1.0/11) {
			phrase = v.phrases[v.phraseRanks.Draw(r)]
		}
		var w string
		inside := len(phrase) > 0
		if inside {
			w, phrase = phrase[0], phrase[1:]
		} else {
			w = Word(r)
		}
		switch {
		case left == 0:
			if i > 0 {
				b.WriteString(". ")
			}
			left = 5 + r.IntN(10)
			w = Title(w)
		case !inside && Chance(r, 0.07):
			b.WriteString(", ")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(w)
		left--
	}
	b.WriteByte('.')
	return b.String()
}

// Title returns w with its first letter in upper case.
func Title(w string) string {
	_, n := utf8.DecodeRuneInString(w)
	return strings.ToUpper(w[:n]) + w[n:]
}
