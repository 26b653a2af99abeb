package dynamic

import (
	"github.com/zmylab/zmy/schema/dissect"
	"github.com/zmylab/zmy/wire"
)

// placed gives an error of wire.Verify, which knows no names, the path of the field
// that stands at its offset; what ends too early is the field before. Of a fault in
// between, as in words that have no order, it is the list or struct that has them.
func (c *Codec) placed(msg []byte, err *wire.Error) *wire.Error {
	if err == nil {
		return nil
	}
	err.Path = ""
	at := err.Offset
	if err.Code == wire.ErrTruncated && at > 0 {
		at--
	}
	for p := range (dissect.Options{}).Message(c.s, msg) {
		if p.Offset > at {
			break
		}
		if p.Role != dissect.Group && at < p.Offset+p.Len {
			err.Path = p.Path
			break
		}
	}
	return err
}
