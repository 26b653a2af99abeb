package contract_test

// NOTE: a table of edits. Long lines are single texts.

// edit is a change of testdata/golden/shop/in.go: pairs of a text, which occurs once, and its replacement.
type edit struct {
	name   string
	rule   string // that the comparison must report; "" for none in particular, of a safe edit
	change []string
	fxjson bool // the edit concerns struct tags that only fxjson reads
}

var edits = []edit{
	// Edits that break.
	{"member removed", "MEMBER_REMOVED", []string{"Qty      int32             `json:\"qty\"`", ""}, false},
	{"optional member removed", "MEMBER_REMOVED", []string{"Note     string            `json:\"note,omitempty\"`", ""}, false},
	{"embedded struct removed", "MEMBER_REMOVED", []string{"\tBase\n", ""}, false},
	{"member hidden", "MEMBER_REMOVED", []string{"Qty      int32             `json:\"qty\"`", "Qty int32 `json:\"-\"`"}, false},
	{"member unexported", "MEMBER_REMOVED", []string{"Qty      int32             `json:\"qty\"`", "qty int32 `json:\"qty\"`"}, false},
	{"member in an element removed", "MEMBER_REMOVED", []string{"\tSize int8   `json:\"size\"`\n", ""}, false},
	{"two embedded structs hide a member", "MEMBER_REMOVED", []string{
		"\t*Audit\n",
		"\t*Audit\n\tSecond\n",
		"// Item is a line",
		"// Second is embedded, too.\ntype Second struct { Kind string `json:\"kind\"` }\n\n// Item is a line",
	}, false},
	{"member renamed", "MEMBER_RENAMED", []string{"Qty      int32             `json:\"qty\"`", "Qty int32 `json:\"quantity\"`"}, false},
	{"member renamed in case only", "MEMBER_RENAMED", []string{
		"ID       string            `json:\"id\"`",
		"ID string `json:\"Id\"`",
	}, false},
	{"tag removed", "MEMBER_RENAMED", []string{"Price    float64           `json:\"price\"`", "Price float64"}, false},
	{"tag with a space after the comma", "MEMBER_RENAMED", []string{
		"Paid     bool              `json:\"paid\"`",
		"Paid bool `json:\"is_paid\"`",
	}, false},
	{"name clash in case", "MEMBER_CASE_CLASH", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tOther string `json:\"Note\"`",
	}, false},
	{"embedded struct got a name", "EMBEDDING_CHANGED", []string{"\tBase\n", "\tBase `json:\"base\"`\n"}, false},
	{"embedded struct became a field", "EMBEDDING_CHANGED", []string{"\tBase\n", "\tBase Base `json:\"base\"`\n"}, false},
	{"struct was embedded", "EMBEDDING_CHANGED", []string{"Ship     Address           `json:\"ship\"`", "Address"}, false},
	{"embedded as a pointer", "MEMBER_MAY_BE_ABSENT", []string{"\tBase\n", "\t*Base\n"}, false},
	{"omitempty added", "MEMBER_MAY_BE_ABSENT", []string{
		"Qty      int32             `json:\"qty\"`",
		"Qty int32 `json:\"qty,omitempty\"`",
	}, false},
	{"omitempty added to a list", "MEMBER_MAY_BE_ABSENT", []string{
		"Items    []Item            `json:\"items\"`",
		"Items []Item `json:\"items,omitempty\"`",
	}, false},
	{"omitzero added to a struct", "MEMBER_MAY_BE_ABSENT", []string{
		"Ship     Address           `json:\"ship\"`",
		"Ship Address `json:\"ship,omitzero\"`",
	}, false},
	{"omitzero added to a time", "MEMBER_MAY_BE_ABSENT", []string{
		"At       time.Time         `json:\"at\"`",
		"At time.Time `json:\"at,omitzero\"`",
	}, false},
	{"pointer added", "NULL_ADDED", []string{"Qty      int32             `json:\"qty\"`", "Qty *int32 `json:\"qty\"`"}, false},
	{"pointer to a struct", "NULL_ADDED", []string{"Ship     Address           `json:\"ship\"`", "Ship *Address `json:\"ship\"`"}, false},
	{"list of pointers", "NULL_ADDED", []string{"Items    []Item            `json:\"items\"`", "Items []*Item `json:\"items\"`"}, false},
	{"omitempty removed from a list", "NULL_ADDED", []string{
		"Tags     []string          `json:\"tags,omitempty\"`",
		"Tags []string `json:\"tags\"`",
	}, false},
	{"omitempty removed from a pointer", "NULL_ADDED", []string{
		"Bill     *Address          `json:\"bill,omitempty\"`",
		"Bill *Address `json:\"bill\"`",
	}, false},
	{"pointer removed", "NULL_REMOVED", []string{"Code     *int32            `json:\"code\"`", "Code int32 `json:\"code\"`"}, false},
	{"number became a string", "TYPE_CHANGED", []string{"Qty      int32             `json:\"qty\"`", "Qty string `json:\"qty\"`"}, false},
	{"integer became a float", "TYPE_CHANGED", []string{
		"Wide     int64             `json:\"wide\"`",
		"Wide float64 `json:\"wide\"`",
	}, false},
	{"float became an integer", "TYPE_CHANGED", []string{
		"Price    float64           `json:\"price\"`",
		"Price int64 `json:\"price\"`",
	}, false},
	{"bool became an integer", "TYPE_CHANGED", []string{"Paid     bool              `json:\"paid\"`", "Paid int `json:\"paid\"`"}, false},
	{"base64 became a string", "TYPE_CHANGED", []string{
		"Data     []byte            `json:\"data\"`",
		"Data string `json:\"data\"`",
	}, false},
	{"base64 became numbers", "TYPE_CHANGED", []string{
		"Data     []byte            `json:\"data\"`",
		"Data []int16 `json:\"data\"`",
	}, false},
	{"time became a string", "TYPE_CHANGED", []string{"At       time.Time         `json:\"at\"`", "At string `json:\"at\"`"}, false},
	{"struct became a map", "TYPE_CHANGED", []string{
		"Ship     Address           `json:\"ship\"`",
		"Ship map[string]int `json:\"ship\"`",
	}, false},
	{"struct became a list of structs", "TYPE_CHANGED", []string{
		"Ship     Address           `json:\"ship\"`",
		"Ship []Address `json:\"ship\"`",
	}, false},
	{"map became any", "TYPE_CHANGED", []string{"Attrs    map[string]string `json:\"attrs\"`", "Attrs any `json:\"attrs\"`"}, false},
	{"any became a string", "TYPE_CHANGED", []string{"Any      any               `json:\"any\"`", "Any string `json:\"any\"`"}, false},
	{"duration became a text", "METHOD_ADDED", []string{
		"Took     time.Duration     `json:\"took\"`",
		"Took Money `json:\"took\"`",
	}, false},
	{"integer narrowed", "INTEGER_NARROWED", []string{"Wide     int64             `json:\"wide\"`", "Wide int32 `json:\"wide\"`"}, false},
	{"integer widened", "INTEGER_WIDENED", []string{"Qty      int32             `json:\"qty\"`", "Qty int64 `json:\"qty\"`"}, false},
	{"integer in an element widened", "INTEGER_WIDENED", []string{"\tSize int8   `json:\"size\"`", "\tSize int16 `json:\"size\"`"}, false},
	{"sign added", "INTEGER_RANGE_CHANGED", []string{
		"Count    uint16            `json:\"count\"`",
		"Count int16 `json:\"count\"`",
	}, false},
	{"big integer became int64", "INTEGER_NARROWED", []string{
		"Big      *big.Int          `json:\"big\"`",
		"Big *int64 `json:\"big\"`",
	}, false},
	{"float narrowed", "FLOAT_NARROWED", []string{"Price    float64           `json:\"price\"`", "Price float32 `json:\"price\"`"}, false},
	{"float widened", "FLOAT_WIDENED", []string{
		"Weight   float32           `json:\"weight\"`",
		"Weight float64 `json:\"weight\"`",
	}, false},
	{"option string added", "STRING_FORM_CHANGED", []string{
		"Wide     int64             `json:\"wide\"`",
		"Wide int64 `json:\"wide,string\"`",
	}, false},
	{"option string removed", "STRING_FORM_CHANGED", []string{
		"Quoted   int64             `json:\"quoted,string\"`",
		"Quoted int64 `json:\"quoted\"`",
	}, false},
	{"integer keys became strings", "MAP_KEY_CHANGED", []string{
		"ByNumber map[int32]Item    `json:\"by_number\"`",
		"ByNumber map[string]Item `json:\"by_number\"`",
	}, false},
	{"string keys became integers", "MAP_KEY_CHANGED", []string{
		"Attrs    map[string]string `json:\"attrs\"`",
		"Attrs map[int]string `json:\"attrs\"`",
	}, false},
	{"keys widened", "MAP_KEY_CHANGED", []string{
		"ByNumber map[int32]Item    `json:\"by_number\"`",
		"ByNumber map[int64]Item `json:\"by_number\"`",
	}, false},
	{"array longer", "ARRAY_LENGTH_CHANGED", []string{
		"Point    [2]float64        `json:\"point\"`",
		"Point [3]float64 `json:\"point\"`",
	}, false},
	{"array became a list", "ARRAY_LENGTH_CHANGED", []string{
		"Point    [2]float64        `json:\"point\"`",
		"Point []float64 `json:\"point\"`",
	}, false},
	{"method added", "METHOD_ADDED", []string{
		"// Names is a list",
		"// MarshalJSON writes a text.\nfunc (a Address) MarshalJSON() ([]byte, error) { return json.Marshal(a.City + \",\" + a.Zip) }\n\n// Names is a list",
	}, false},
	{"method promoted", "METHOD_ADDED", []string{"\tZip  string `json:\"zip\"`\n", "\tZip  string `json:\"zip\"`\n\ttime.Time\n"}, false},
	{"method removed", "METHOD_REMOVED", []string{
		"func (m Money) MarshalText()",
		"func (m Money) Text()",
		"func (m *Money) UnmarshalText(",
		"func (m *Money) Parse(",
	}, false},
	{"reading method removed", "METHOD_REMOVED", []string{"func (m *Money) UnmarshalText(", "func (m *Money) Parse("}, false},
	{"text became JSON", "METHOD_REMOVED", []string{
		"func (m Money) MarshalText() ([]byte, error) {\n\treturn strconv",
		"func (m Money) MarshalJSON() ([]byte, error) {\n\treturn strconv",
		"func (m *Money) UnmarshalText(",
		"func (m *Money) UnmarshalJSON(",
	}, false},
	{"constant removed", "ENUM_VALUE_REMOVED", []string{"\tClosed State = \"closed\"\n", ""}, false},
	{"constant has another text", "ENUM_VALUE_REMOVED", []string{"\"sent\"", "\"shipped\""}, false},
	{"constant has another number", "ENUM_VALUE_CHANGED", []string{"High Level = 3", "High Level = 9"}, false},
	{"required added", "REQUIRED_ADDED", []string{
		"Note     string            `json:\"note,omitempty\"`",
		"Note string `json:\"note,omitempty\" fxjson:\"required\"`",
	}, true},

	// Edits that warn.
	{"string became an enumeration", "ENUM_CLOSED", []string{
		"Note     string            `json:\"note,omitempty\"`", "Note State `json:\"note,omitempty\"`",
	}, false},
	{"constant added", "ENUM_VALUE_ADDED", []string{
		"\tClosed State = \"closed\"\n",
		"\tClosed State = \"closed\"\n\tLost State = \"lost\"\n",
	}, false},
	{"enumeration became a string", "ENUM_OPENED", []string{
		"State    State             `json:\"state\"`",
		"State string `json:\"state\"`",
	}, false},
	{"constants of an enumeration gone", "ENUM_OPENED", []string{
		"\tOpen   State = \"open\"\n\tSent   State = \"sent\"\n\tClosed State = \"closed\"\n",
		"\tOpen   State = \"open\"\n",
	}, false},
	{"decimals changed", "DECIMALS_CHANGED", []string{
		"Rate float64 `json:\"rate\" fxjson:\"decimals=2\"`",
		"Rate float64 `json:\"rate\" fxjson:\"decimals=4\"`",
	}, true},
	{"method of another type", "METHOD_OWNER_CHANGED", []string{
		"Sum      Money ",
		"Sum      Coins ",
		"// Money writes itself.",
		"// Coins is embedded Money.\ntype Coins struct{ Money }\n\n// Money writes itself.",
	}, false},
	{"reading method added", "READING_CHANGED", []string{
		"// Names is a list",
		"// UnmarshalJSON reads no more than before.\nfunc (a *Address) UnmarshalJSON(b []byte) error {\n\ttype plain Address\n\treturn json.Unmarshal(b, (*plain)(a))\n}\n\n// Names is a list",
	}, false},

	// Edits that are safe.
	{"string added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew string `json:\"new\"`",
	}, false},
	{"optional member added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew string `json:\"new,omitempty\"`",
	}, false},
	{"struct added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew Address `json:\"new\"`",
	}, false},
	{"pointer member added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew *Item `json:\"new\"`",
	}, false},
	{"list added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew []Item `json:\"new\"`",
	}, false},
	{"map added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew map[string]Item `json:\"new\"`",
	}, false},
	{"member without tag added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew string",
	}, false},
	{"hidden member added", "", []string{"Hidden string `json:\"-\"`", "Hidden string `json:\"-\"`\n\tNew string `json:\"-\"`"}, false},
	{"unexported field added", "", []string{"Hidden string `json:\"-\"`", "Hidden string `json:\"-\"`\n\tnew string"}, false},
	{"any added", "MEMBER_ADDED", []string{"Hidden string `json:\"-\"`", "Hidden string `json:\"-\"`\n\tNew any `json:\"new\"`"}, false},
	{"time added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew time.Time `json:\"new\"`",
	}, false},
	{"member called minus", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew string `json:\"-,\"`",
	}, false},
	{"recursive member added", "MEMBER_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Hidden string `json:\"-\"`\n\tNew *Order `json:\"new,omitempty\"`",
	}, false},
	{"embedded struct added", "MEMBER_ADDED", []string{
		"\t*Audit\n",
		"\t*Audit\n\tSecond\n",
		"// Item is a line",
		"// Second is embedded, too.\ntype Second struct { More string `json:\"more\"` }\n\n// Item is a line",
	}, false},
	{"member added to an element", "MEMBER_ADDED", []string{
		"\tSize int8   `json:\"size\"`\n",
		"\tSize int8   `json:\"size\"`\n\tColor string `json:\"color\"`\n",
	}, false},
	{"member added to an embedded struct", "MEMBER_ADDED", []string{
		"\tBy string `json:\"by\"`\n",
		"\tBy string `json:\"by\"`\n\tWhy string `json:\"why\"`\n",
	}, false},
	{"Go field renamed", "FIELD_RENAMED", []string{"Qty      int32             `json:\"qty\"`", "Quantity int32 `json:\"qty\"`"}, false},
	{"members in another order", "", []string{
		"Qty      int32             `json:\"qty\"`\n\tCount    uint16            `json:\"count\"`",
		"Count    uint16            `json:\"count\"`\n\tQty      int32             `json:\"qty\"`",
	}, false},
	{"element type renamed", "", []string{
		"Items    []Item ",
		"Items    []Line ",
		"// Item is a line",
		"// Line is a line, too.\ntype Line struct {\n\tSKU  string `json:\"sku\"`\n\tSize int8 `json:\"size\"`\n}\n\n// Item is a line",
	}, false},
	{"struct with a name became one without", "", []string{
		"Ship     Address           `json:\"ship\"`",
		"Ship struct {\n\t\tCity string `json:\"city\"`\n\t\tZip string `json:\"zip\"`\n\t} `json:\"ship\"`",
	}, false},
	{"struct without a name got one", "", []string{
		"\tInner    struct {\n\t\tA int `json:\"a\"`\n\t} `json:\"inner\"`",
		"\tInner Nested `json:\"inner\"`",
		"// Item is a line",
		"// Nested has a name.\ntype Nested struct {\n\tA int `json:\"a\"`\n}\n\n// Item is a line",
	}, false},
	{"list with a name became one without", "", []string{
		"Names    Names             `json:\"names\"`",
		"Names []string `json:\"names\"`",
	}, false},
	{"list got a name", "", []string{
		"Tags     []string          `json:\"tags,omitempty\"`",
		"Tags Names `json:\"tags,omitempty\"`",
	}, false},
	{"string got a name", "", []string{
		"Note     string            `json:\"note,omitempty\"`",
		"Note Text `json:\"note,omitempty\"`",
		"// Names is a list",
		"// Text is a string.\ntype Text string\n\n// Names is a list",
	}, false},
	{"duration became int64", "", []string{"Took     time.Duration     `json:\"took\"`", "Took int64 `json:\"took\"`"}, false},
	{"int64 became int", "", []string{"Wide     int64             `json:\"wide\"`", "Wide int `json:\"wide\"`"}, false},
	{"omitempty removed from a string", "MEMBER_ALWAYS_WRITTEN", []string{
		"Note     string            `json:\"note,omitempty\"`",
		"Note string `json:\"note\"`",
	}, false},
	{"embedded pointer became a struct", "MEMBER_ALWAYS_WRITTEN", []string{"\t*Audit\n", "\tAudit\n"}, false},
	{"omitempty became omitzero", "OMISSION_CHANGED", []string{
		"Note     string            `json:\"note,omitempty\"`",
		"Note string `json:\"note,omitzero\"`",
	}, false},
	{"omitzero beside omitempty", "OMISSION_CHANGED", []string{
		"Tags     []string          `json:\"tags,omitempty\"`",
		"Tags []string `json:\"tags,omitempty,omitzero\"`",
	}, false},
	{"omitzero became omitempty", "OMISSION_CHANGED", []string{
		"Rows     []int             `json:\"rows,omitzero\"`",
		"Rows []int `json:\"rows,omitempty\"`",
	}, false},
	{"omitempty of a struct, which has no effect", "", []string{
		"Ship     Address           `json:\"ship\"`",
		"Ship Address `json:\"ship,omitempty\"`",
	}, false},
	{"omitempty of a time, which has no effect", "", []string{
		"At       time.Time         `json:\"at\"`",
		"At time.Time `json:\"at,omitempty\"`",
	}, false},
	{"option string of a list, which has no effect", "", []string{
		"Names    Names             `json:\"names\"`",
		"Names Names `json:\"names,string\"`",
	}, false},
	{"pointer to an optional string removed", "", []string{
		"Maybe    *string           `json:\"maybe,omitempty\"`",
		"Maybe string `json:\"maybe,omitempty\"`",
	}, false},
	{"optional string became a pointer", "", []string{
		"Note     string            `json:\"note,omitempty\"`",
		"Note *string `json:\"note,omitempty\"`",
	}, false},
	{"pointer to a pointer", "", []string{"Code     *int32            `json:\"code\"`", "Code **int32 `json:\"code\"`"}, false},
	{"pointer to a list", "", []string{"Items    []Item            `json:\"items\"`", "Items *[]Item `json:\"items\"`"}, false},
	{"declaration moved", "", []string{
		"// Address is a place.\ntype Address struct {\n\tCity string `json:\"city\"`\n\tZip  string `json:\"zip\"`\n}\n\n",
		"",
		"// Money writes itself.",
		"// Address is a place that people live at.\ntype Address struct {\n\tCity string `json:\"city\"`\n\tZip  string `json:\"zip\"`\n}\n\n// Money writes itself.",
	}, false},
	{"embedded struct replaced by its fields", "FIELD_RENAMED", []string{
		"\tBase\n",
		"\tVersion int `json:\"version\"`\n\tKind string `json:\"kind\"`\n",
	}, false},
	{"fields moved into an embedded struct", "FIELD_RENAMED", []string{
		"ID       string            `json:\"id\"`",
		"",
		"\tVersion int    `json:\"version\"`",
		"\tVersion int    `json:\"version\"`\n\tID string `json:\"id\"`",
	}, false},
	{"constant renamed", "", []string{"Mid  Level = 2", "Middle Level = 2"}, false},
	{"comment changed", "", []string{"// Order is one order.", "// Order is one order of the shop."}, false},
	{"another tag added", "", []string{
		"Qty      int32             `json:\"qty\"`",
		"Qty int32 `json:\"qty\" db:\"quantity\" validate:\"min=1\"`",
	}, false},
	{"method without effect added", "", []string{
		"// Names is a list",
		"// String is for people.\nfunc (a Address) String() string { return a.City }\n\n// Names is a list",
	}, false},
	{"decimals removed and added in the same way", "", []string{
		"Rate float64 `json:\"rate\" fxjson:\"decimals=2\"`",
		"Rate float64 `fxjson:\"decimals=2\" json:\"rate\"`",
	}, false},
	{"intern added", "", []string{
		"Note     string            `json:\"note,omitempty\"`",
		"Note string `json:\"note,omitempty\" fxjson:\"intern\"`",
	}, false},
	{"unknown members kept", "REST_ADDED", []string{
		"Hidden string `json:\"-\"`",
		"Rest map[string]any `fxjson:\"unknown\" json:\"-\"`",
	}, true},
	{"a number that keeps its text", "", []string{"Num      json.Number       `json:\"num\"`", "Num json.Number `json:\"num\"`"}, false},
}
