// Package twitter is one page of a search in a social network: 100 messages with their authors, of
// which 73 repeat another message. A message has about 100 fields, most text is Japanese, and the
// page is 450 KB of compact JSON. It has the shape of twitter.json, a document with which JSON
// parsers are compared; people, texts and numbers are random, and nothing is copied from that
// document. Lists that are empty there are nil here.
package twitter

//go:generate fxjson -type=Search

// Search is the answer to one query.
type Search struct {
	Statuses []Status `json:"statuses"`
	Metadata Metadata `json:"search_metadata"`
}

// Metadata is about the query.
type Metadata struct {
	CompletedIn float64 `json:"completed_in"`
	MaxID       int64   `json:"max_id"`
	MaxIDStr    string  `json:"max_id_str"`
	NextResults string  `json:"next_results"`
	Query       string  `json:"query"`
	RefreshURL  string  `json:"refresh_url"`
	Count       int     `json:"count"`
	SinceID     int64   `json:"since_id"`
	SinceIDStr  string  `json:"since_id_str"`
}

// Status is one message.
type Status struct {
	Metadata             ResultMetadata `json:"metadata"`
	CreatedAt            string         `json:"created_at"`
	ID                   int64          `json:"id"`
	IDStr                string         `json:"id_str"`
	Text                 string         `json:"text"`
	Source               string         `json:"source"`
	Truncated            bool           `json:"truncated"`
	InReplyToStatusID    *int64         `json:"in_reply_to_status_id"`
	InReplyToStatusIDStr *string        `json:"in_reply_to_status_id_str"`
	InReplyToUserID      *int64         `json:"in_reply_to_user_id"`
	InReplyToUserIDStr   *string        `json:"in_reply_to_user_id_str"`
	InReplyToScreenName  *string        `json:"in_reply_to_screen_name"`
	User                 User           `json:"user"`
	Geo                  *Point         `json:"geo"`
	Coordinates          *Point         `json:"coordinates"`
	Place                *string        `json:"place"`
	Contributors         []int64        `json:"contributors"`
	RetweetedStatus      *Status        `json:"retweeted_status,omitempty"`
	RetweetCount         int            `json:"retweet_count"`
	FavoriteCount        int            `json:"favorite_count"`
	Entities             Entities       `json:"entities"`
	Favorited            bool           `json:"favorited"`
	Retweeted            bool           `json:"retweeted"`
	PossiblySensitive    *bool          `json:"possibly_sensitive,omitempty"`
	Lang                 string         `json:"lang"`
}

// ResultMetadata says why a message was found.
type ResultMetadata struct {
	ResultType      string `json:"result_type"`
	ISOLanguageCode string `json:"iso_language_code"`
}

// Point is a place on the map.
type Point struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"`
}

// User is an author.
type User struct {
	ID                        int64        `json:"id"`
	IDStr                     string       `json:"id_str"`
	Name                      string       `json:"name"`
	ScreenName                string       `json:"screen_name"`
	Location                  string       `json:"location"`
	Description               string       `json:"description"`
	URL                       *string      `json:"url"`
	Entities                  UserEntities `json:"entities"`
	Protected                 bool         `json:"protected"`
	FollowersCount            int          `json:"followers_count"`
	FriendsCount              int          `json:"friends_count"`
	ListedCount               int          `json:"listed_count"`
	CreatedAt                 string       `json:"created_at"`
	FavouritesCount           int          `json:"favourites_count"`
	UTCOffset                 *int         `json:"utc_offset"`
	TimeZone                  *string      `json:"time_zone"`
	GeoEnabled                bool         `json:"geo_enabled"`
	Verified                  bool         `json:"verified"`
	StatusesCount             int          `json:"statuses_count"`
	Lang                      string       `json:"lang"`
	ContributorsEnabled       bool         `json:"contributors_enabled"`
	IsTranslator              bool         `json:"is_translator"`
	IsTranslationEnabled      bool         `json:"is_translation_enabled"`
	BackgroundColor           string       `json:"profile_background_color"`
	BackgroundImageURL        string       `json:"profile_background_image_url"`
	BackgroundImageURLHTTPS   string       `json:"profile_background_image_url_https"`
	BackgroundTile            bool         `json:"profile_background_tile"`
	ProfileImageURL           string       `json:"profile_image_url"`
	ProfileImageURLHTTPS      string       `json:"profile_image_url_https"`
	ProfileBannerURL          string       `json:"profile_banner_url,omitempty"`
	ProfileLinkColor          string       `json:"profile_link_color"`
	ProfileSidebarBorderColor string       `json:"profile_sidebar_border_color"`
	ProfileSidebarFillColor   string       `json:"profile_sidebar_fill_color"`
	ProfileTextColor          string       `json:"profile_text_color"`
	UseBackgroundImage        bool         `json:"profile_use_background_image"`
	DefaultProfile            bool         `json:"default_profile"`
	DefaultProfileImage       bool         `json:"default_profile_image"`
	Following                 bool         `json:"following"`
	FollowRequestSent         bool         `json:"follow_request_sent"`
	Notifications             bool         `json:"notifications"`
}

// UserEntities are the links on an author's page.
type UserEntities struct {
	URL         *URLs `json:"url,omitempty"`
	Description URLs  `json:"description"`
}

// URLs is a list of links.
type URLs struct {
	URLs []URL `json:"urls"`
}

// URL is a link as written, in full, and as shown.
type URL struct {
	URL         string `json:"url"`
	ExpandedURL string `json:"expanded_url"`
	DisplayURL  string `json:"display_url"`
	Indices     [2]int `json:"indices"`
}

// Entities are what a message's text refers to.
type Entities struct {
	Hashtags     []Hashtag `json:"hashtags"`
	Symbols      []Hashtag `json:"symbols"`
	URLs         []URL     `json:"urls"`
	UserMentions []Mention `json:"user_mentions"`
	Media        []Media   `json:"media,omitempty"`
}

// Hashtag is a word that stands for a topic.
type Hashtag struct {
	Text    string `json:"text"`
	Indices [2]int `json:"indices"`
}

// Mention is another author in a text.
type Mention struct {
	ScreenName string `json:"screen_name"`
	Name       string `json:"name"`
	ID         int64  `json:"id"`
	IDStr      string `json:"id_str"`
	Indices    [2]int `json:"indices"`
}

// Media is a picture.
type Media struct {
	ID                int64  `json:"id"`
	IDStr             string `json:"id_str"`
	Indices           [2]int `json:"indices"`
	MediaURL          string `json:"media_url"`
	MediaURLHTTPS     string `json:"media_url_https"`
	URL               string `json:"url"`
	DisplayURL        string `json:"display_url"`
	ExpandedURL       string `json:"expanded_url"`
	Type              string `json:"type"`
	Sizes             Sizes  `json:"sizes"`
	SourceStatusID    int64  `json:"source_status_id,omitempty"`
	SourceStatusIDStr string `json:"source_status_id_str,omitempty"`
}

// Sizes are the sizes in which a picture can be had.
type Sizes struct {
	Medium Size `json:"medium"`
	Small  Size `json:"small"`
	Thumb  Size `json:"thumb"`
	Large  Size `json:"large"`
}

// Size is the size of a picture in pixels.
type Size struct {
	W      int    `json:"w"`
	H      int    `json:"h"`
	Resize string `json:"resize"`
}
