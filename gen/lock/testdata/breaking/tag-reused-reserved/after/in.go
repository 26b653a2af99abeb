package in

type T struct {
	A   int32 `zmy:"0"`
	New int64 `zmy:"1"`
}
