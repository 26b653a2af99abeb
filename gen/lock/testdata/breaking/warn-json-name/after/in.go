package in

type T struct {
	A int32 `json:"b" zmy:"0"`
}
