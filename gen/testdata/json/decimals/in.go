package decimals

// Quote writes its floats with a fixed number of decimals. encoding/json writes the samples in the
// same way.
type Quote struct {
	Price  float64      `json:"price" fxjson:"decimals=2"`
	Rates  []float32    `json:"rates" fxjson:"decimals=1"`
	Maybe  *float64     `json:"maybe" fxjson:"decimals=3"`
	Matrix [2][]float64 `json:"matrix" fxjson:"decimals=1"`
}

var third = 0.125

var samples = []any{
	&Quote{Price: 12.25},
	&Quote{-0.25, []float32{0.5, -1.5}, &third, [2][]float64{{1e6 + 0.5}, {}}},
}
