package in

type T struct {
	Total float64 `zmy:"0"`
	S     string  `zmy:"1"`
}
