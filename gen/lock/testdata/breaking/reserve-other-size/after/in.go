package in

//zmy:reserved 0 int64
type T struct {
	S string `zmy:"1"`
}
