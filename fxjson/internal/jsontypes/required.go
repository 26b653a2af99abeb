package jsontypes

type (
	// Required has members that every object must have, some of them from embedded structs.
	Required struct {
		ID string `json:"id" fxjson:"required"`
		*RequiredBase
		Items []RequiredItem          `json:"items" fxjson:"required"`
		Note  string                  `json:"note,omitempty"`
		Sub   *RequiredItem           `json:"sub,omitempty"`
		ByKey map[string]RequiredItem `json:"by.key,omitempty"`
	}

	// RequiredBase is embedded.
	RequiredBase struct {
		Kind string `json:"kind" fxjson:"required"`
		Rest int    `json:"rest"`
	}

	// RequiredItem keeps unknown members too.
	RequiredItem struct {
		SKU   string         `json:"sku" fxjson:"required"`
		Price float64        `json:"price" fxjson:"decimals=2,required"`
		Extra map[string]any `json:"-" fxjson:"inline"`
	}

	// RequiredMany has more required members than a word has bits.
	RequiredMany struct {
		F0  int `fxjson:"required"`
		F1  int `fxjson:"required"`
		F2  int `fxjson:"required"`
		F3  int `fxjson:"required"`
		F4  int `fxjson:"required"`
		F5  int `fxjson:"required"`
		F6  int `fxjson:"required"`
		F7  int `fxjson:"required"`
		F8  int `fxjson:"required"`
		F9  int `fxjson:"required"`
		F10 int `fxjson:"required"`
		F11 int `fxjson:"required"`
		F12 int `fxjson:"required"`
		F13 int `fxjson:"required"`
		F14 int `fxjson:"required"`
		F15 int `fxjson:"required"`
		F16 int `fxjson:"required"`
		F17 int `fxjson:"required"`
		F18 int `fxjson:"required"`
		F19 int `fxjson:"required"`
		F20 int `fxjson:"required"`
		F21 int `fxjson:"required"`
		F22 int `fxjson:"required"`
		F23 int `fxjson:"required"`
		F24 int `fxjson:"required"`
		F25 int `fxjson:"required"`
		F26 int `fxjson:"required"`
		F27 int `fxjson:"required"`
		F28 int `fxjson:"required"`
		F29 int `fxjson:"required"`
		F30 int `fxjson:"required"`
		F31 int `fxjson:"required"`
		F32 int `fxjson:"required"`
		F33 int `fxjson:"required"`
		F34 int `fxjson:"required"`
		F35 int `fxjson:"required"`
		F36 int `fxjson:"required"`
		F37 int `fxjson:"required"`
		F38 int `fxjson:"required"`
		F39 int `fxjson:"required"`
		F40 int `fxjson:"required"`
		F41 int `fxjson:"required"`
		F42 int `fxjson:"required"`
		F43 int `fxjson:"required"`
		F44 int `fxjson:"required"`
		F45 int `fxjson:"required"`
		F46 int `fxjson:"required"`
		F47 int `fxjson:"required"`
		F48 int `fxjson:"required"`
		F49 int `fxjson:"required"`
		F50 int `fxjson:"required"`
		F51 int `fxjson:"required"`
		F52 int `fxjson:"required"`
		F53 int `fxjson:"required"`
		F54 int `fxjson:"required"`
		F55 int `fxjson:"required"`
		F56 int `fxjson:"required"`
		F57 int `fxjson:"required"`
		F58 int `fxjson:"required"`
		F59 int `fxjson:"required"`
		F60 int `fxjson:"required"`
		F61 int `fxjson:"required"`
		F62 int `fxjson:"required"`
		F63 int `fxjson:"required"`
		F64 int `fxjson:"required"`
		F65 int `fxjson:"required"`
		F66 int `fxjson:"required"`
		F67 int `fxjson:"required"`
		F68 int `fxjson:"required"`
		F69 int `fxjson:"required"`
	}
)
