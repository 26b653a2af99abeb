package in

type T struct {
	A int32 `json:"a" zmy:"0"`
}
