//go:build ignore

package pb

import "time"

func ZZToTimestamp(m *Timestamp, v *time.Time) error {
	m.Seconds, m.Nanos = v.Unix(), int32(v.Nanosecond())
	return nil
}

func ZZFromTimestamp(v *time.Time, m *Timestamp) error {
	if m == nil {
		*v = time.Time{}
		return nil
	}
	*v = time.Unix(m.Seconds, int64(m.Nanos)).UTC()
	return nil
}
