package dynamic

import (
	"github.com/zmylab/zmy/schema/dissect"
	"github.com/zmylab/zmy/wire"
)

// placed adds a path to an error of wire.Verify, which knows no names. The path is that of the
// field at the error's offset. If the message ends too early it is the field before that offset. If
// words are out of order it is the list or struct that contains them.
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
