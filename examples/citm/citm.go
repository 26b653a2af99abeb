// Package citm is the catalogue of a concert hall: 184 events, 243 performances and their 9,700
// seating areas, tables of names by numeric keys, 550 KB of compact JSON. It has the shape of
// citm_catalog.json, a document with which JSON parsers are compared; names and numbers are random,
// and nothing is copied from that document. Lists that are empty there are nil here.
package citm

import (
	"math/rand/v2"
	"strconv"

	"github.com/zmylab/zmy/examples/internal/sample"
)

//go:generate fxjson -type=Catalog

// Catalog is the whole document. The keys of its maps are identifiers in decimal digits.
type Catalog struct {
	AreaNames                map[string]string  `json:"areaNames"`
	AudienceSubCategoryNames map[string]string  `json:"audienceSubCategoryNames"`
	BlockNames               map[string]string  `json:"blockNames"`
	Events                   map[string]Event   `json:"events"`
	Performances             []Performance      `json:"performances"`
	SeatCategoryNames        map[string]string  `json:"seatCategoryNames"`
	SubTopicNames            map[string]string  `json:"subTopicNames"`
	SubjectNames             map[string]string  `json:"subjectNames"`
	TopicNames               map[string]string  `json:"topicNames"`
	TopicSubTopics           map[string][]int64 `json:"topicSubTopics"`
	VenueNames               map[string]string  `json:"venueNames"`
}

// Event is something that is performed, once or often.
type Event struct {
	Description *string `json:"description"`
	ID          int64   `json:"id"`
	Logo        *string `json:"logo"`
	Name        string  `json:"name"`
	SubTopicIDs []int64 `json:"subTopicIds"`
	SubjectCode *string `json:"subjectCode"`
	Subtitle    *string `json:"subtitle"`
	TopicIDs    []int64 `json:"topicIds"`
}

// Performance is one evening.
type Performance struct {
	EventID        int64          `json:"eventId"`
	ID             int64          `json:"id"`
	Logo           *string        `json:"logo"`
	Name           *string        `json:"name"`
	Prices         []Price        `json:"prices"`
	SeatCategories []SeatCategory `json:"seatCategories"`
	SeatMapImage   *string        `json:"seatMapImage"`
	Start          int64          `json:"start"` // Unix milliseconds
	VenueCode      string         `json:"venueCode"`
}

// Price is what a category of seats costs a group of people, in cents.
type Price struct {
	Amount                int64 `json:"amount"`
	AudienceSubCategoryID int64 `json:"audienceSubCategoryId"`
	SeatCategoryID        int64 `json:"seatCategoryId"`
}

// SeatCategory lists the areas of the hall with seats of one price.
type SeatCategory struct {
	Areas          []Area `json:"areas"`
	SeatCategoryID int64  `json:"seatCategoryId"`
}

// Area is a part of the hall.
type Area struct {
	AreaID   int64   `json:"areaId"`
	BlockIDs []int64 `json:"blockIds"`
}

// The constants are the first identifiers of the tables. A table has a block of increasing
// identifiers.
const (
	areaIDs     = 205_705_993
	audienceID  = 337_100_890
	eventIDs    = 138_586_341
	perfIDs     = 339_887_544
	categoryIDs = 338_937_235
	topicIDs    = 324_846_098
	subTopicIDs = 337_184_262
)

// SampleCatalog draws one catalogue.
func SampleCatalog(r *rand.Rand) Catalog {
	c := Catalog{
		AreaNames:                names(r, areaIDs, 17),
		AudienceSubCategoryNames: names(r, audienceID, 1),
		SeatCategoryNames:        names(r, categoryIDs, 64),
		SubTopicNames:            names(r, subTopicIDs, 19),
		TopicNames:               names(r, topicIDs, 4),
		TopicSubTopics:           map[string][]int64{},
		VenueNames:               map[string]string{"HALL_MAIN": "Grand Hall"},
		Events:                   map[string]Event{},
	}
	for i := range int64(4) {
		c.TopicSubTopics[key(topicIDs+i)] = some(r, subTopicIDs, 19, 1+r.IntN(9))
	}
	for i := range int64(184) {
		e := Event{ID: eventIDs + 4*i, Name: sample.Title(sample.Text(r, 3)), Logo: logo(r),
			SubTopicIDs: some(r, subTopicIDs, 19, 1+r.IntN(6)), TopicIDs: some(r, topicIDs, 4, 1+r.IntN(4))}
		c.Events[key(e.ID)] = e
	}
	for i := range int64(243) {
		c.Performances = append(c.Performances, performance(r, i))
	}
	return c
}

func performance(r *rand.Rand, i int64) Performance {
	p := Performance{EventID: eventIDs + 4*r.Int64N(184), ID: perfIDs + 3*i, Logo: logo(r),
		Start: 1_370_000_000_000 + 3_600_000*r.Int64N(9000), VenueCode: "HALL_MAIN"}
	first := r.Int64N(56)
	for k := range int64(2 + r.IntN(5)) {
		id := categoryIDs + first + k
		p.Prices = append(p.Prices, Price{Amount: 500 * (10 + r.Int64N(200)), AudienceSubCategoryID: audienceID, SeatCategoryID: id})
		s := SeatCategory{SeatCategoryID: id}
		for _, a := range some(r, areaIDs, 17, 3+r.IntN(14)) {
			s.Areas = append(s.Areas, Area{AreaID: a})
		}
		p.SeatCategories = append(p.SeatCategories, s)
	}
	return p
}

func key(id int64) string { return strconv.FormatInt(id, 10) }

// names returns a table of n names, by the decimal identifiers from, from+1 and so on. Some names
// have letters outside of ASCII.
func names(r *rand.Rand, from int64, n int) map[string]string {
	out := map[string]string{}
	for i := range int64(n) {
		out[key(from+i)] = sample.Pick(r, []string{"1er balcon ", "2ème balcon ", "Catégorie ", "Parterre "}) + sample.Noun(r)
	}
	return out
}

// some picks n of m consecutive identifiers, without repetition.
func some(r *rand.Rand, from int64, m, n int) []int64 {
	var out []int64
	for _, i := range r.Perm(m)[:min(n, m)] {
		out = append(out, from+int64(i))
	}
	return out
}

func logo(r *rand.Rand) *string {
	if sample.Chance(r, 0.5) {
		return nil
	}
	s := "/images/" + sample.Token(r, 21)
	return &s
}
