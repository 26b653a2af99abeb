package twitter

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/examples/internal/sample"
)

// SampleSearch draws one page.
func SampleSearch(r *rand.Rand) Search {
	var s Search
	for i := range 100 {
		st := status(r)
		if i < 73 {
			of := status(r)
			of.RetweetCount = 1 + r.IntN(3000)
			st.RetweetedStatus, st.RetweetCount = &of, of.RetweetCount
			st.Text = "RT @" + of.User.ScreenName + ": " + of.Text
			st.Entities.UserMentions = []Mention{mention(of.User)}
		}
		s.Statuses = append(s.Statuses, st)
	}
	id := s.Statuses[0].ID
	s.Metadata = Metadata{CompletedIn: 0.087, MaxID: id, MaxIDStr: str(id), Query: "%E4%B8%80", Count: 100, SinceIDStr: "0",
		NextResults: "?max_id=" + str(id-1) + "&q=%E4%B8%80&count=100&include_entities=1", RefreshURL: "?since_id=" + str(id) +
			"&q=%E4%B8%80&include_entities=1"}
	return s
}

func str(id int64) string { return strconv.FormatInt(id, 10) }

// moment spells an instant of 2025 as "Sun Aug 31 00:29:15 +0000 2025".
func moment(r *rand.Rand) string { return sample.Time(r).Format(time.RubyDate) }

func status(r *rand.Rand) Status {
	id := 505_000_000_000_000_000 + r.Int64N(900_000_000_000_000)
	s := Status{
		Metadata: ResultMetadata{ResultType: "recent", ISOLanguageCode: "ja"}, CreatedAt: moment(r), ID: id, IDStr: str(id), Lang: "ja",
		Text: japanese(r, 20+r.IntN(90)), User: user(r), FavoriteCount: r.IntN(40),
		Source: `<a href="http://example.com/download/` + sample.Pick(r, []string{"phone", "tablet", "web"}) + `" rel="nofollow">` +
			sample.Title(sample.Noun(r)) + `</a>`,
	}
	if sample.Chance(r, 0.1) {
		to := user(r)
		s.InReplyToUserID, s.InReplyToUserIDStr, s.InReplyToScreenName = &to.ID, &to.IDStr, &to.ScreenName
		s.Text = "@" + to.ScreenName + " " + s.Text
		s.Entities.UserMentions = []Mention{mention(to)}
	}
	if sample.Chance(r, 0.1) {
		s.Entities.Hashtags = []Hashtag{{Text: japanese(r, 5), Indices: span(r)}}
	}
	if sample.Chance(r, 0.15) {
		s.Entities.URLs = []URL{link(r)}
		s.PossiblySensitive = new(bool)
	}
	if sample.Chance(r, 0.06) {
		s.Entities.Media = []Media{media(r)}
	}
	return s
}

func span(r *rand.Rand) [2]int {
	at := r.IntN(100)
	return [2]int{at, at + 3 + r.IntN(20)}
}

func mention(u User) Mention {
	return Mention{ScreenName: u.ScreenName, Name: u.Name, ID: u.ID, IDStr: u.IDStr, Indices: [2]int{3, 4 + len(u.ScreenName)}}
}

func link(r *rand.Rand) URL {
	path := "example.org/" + sample.Noun(r) + "/" + sample.Token(r, 6)
	return URL{URL: "http://example.net/" + sample.Token(r, 7), ExpandedURL: "http://" + path, DisplayURL: path, Indices: span(r)}
}

func media(r *rand.Rand) Media {
	id := 500_000_000_000_000_000 + r.Int64N(6_000_000_000_000_000)
	file := "pbs.example.com/media/" + sample.Token(r, 11) + ".jpg"
	l := link(r)
	return Media{ID: id, IDStr: str(id), Indices: l.Indices, MediaURL: "http://" + file, MediaURLHTTPS: "https://" + file, URL: l.URL,
		DisplayURL: l.DisplayURL, ExpandedURL: l.ExpandedURL, Type: "photo",
		Sizes: Sizes{Size{600, 338, "fit"}, Size{340, 192, "fit"}, Size{150, 150, "crop"}, Size{1024, 577, "fit"}}}
}

func user(r *rand.Rand) User {
	id := 100_000_000 + r.Int64N(2_700_000_000)
	first, last := sample.Name(r)
	color := func() string { return strings.ToUpper(sample.Hex(r, 3)) }
	image := "abs.example.com/images/themes/theme" + strconv.Itoa(1+r.IntN(19)) + "/bg.png"
	face := "pbs.example.com/profile_images/" + str(id*1_000_003) + "/" + sample.Token(r, 6) + "_normal.jpeg"
	u := User{
		ID: id, IDStr: str(id), Name: japanese(r, 3+r.IntN(10)), ScreenName: strings.ReplaceAll(sample.UserName(first, last), ".", "_"),
		Description: japanese(r, 20+r.IntN(90)), FollowersCount: int(sample.LogNormal(r, 400, 1.5)), FriendsCount: r.IntN(2000),
		ListedCount: r.IntN(30),
		CreatedAt:   moment(r), FavouritesCount: r.IntN(9000), GeoEnabled: sample.Chance(r, 0.3), StatusesCount: r.IntN(60_000), Lang: "ja",
		BackgroundColor: color(), BackgroundImageURL: "http://" + image, BackgroundImageURLHTTPS: "https://" + image,
		BackgroundTile:  sample.Chance(r, 0.3),
		ProfileImageURL: "http://" + face, ProfileImageURLHTTPS: "https://" + face, ProfileLinkColor: color(), ProfileSidebarBorderColor: color(),
		ProfileSidebarFillColor: color(), ProfileTextColor: color(), UseBackgroundImage: true, DefaultProfile: sample.Chance(r, 0.5),
	}
	if sample.Chance(r, 0.4) {
		u.Location = japanese(r, 2+r.IntN(6))
	}
	if sample.Chance(r, 0.9) {
		u.ProfileBannerURL = "https://pbs.example.com/profile_banners/" + u.IDStr + "/" + str(1_400_000_000+r.Int64N(10_000_000))
	}
	if sample.Chance(r, 0.1) {
		l := link(r)
		u.URL, u.Entities.URL = &l.URL, &URLs{[]URL{l}}
	}
	if sample.Chance(r, 0.2) {
		offset, zone := 32_400, "Tokyo"
		u.UTCOffset, u.TimeZone = &offset, &zone
	}
	return u
}

// characters are those of the texts, the most frequent first: syllables, ideographs, punctuation, a
// line break and symbols of four bytes.
var characters = []rune("のにはてをがとでしたいるなもかれらこまあすりさうよつきくんおそちだどっーみけせねえほめむふゆろわ日一人大今本中年生見行出気思手何間方時私来前言上自分事会好笑、。！？\n 😊✨")

// japanese draws n characters without meaning.
func japanese(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		i := r.IntN(len(characters))
		if j := r.IntN(len(characters)); j < i {
			i = j
		}
		b.WriteRune(characters[i])
	}
	return strings.TrimSpace(b.String())
}
