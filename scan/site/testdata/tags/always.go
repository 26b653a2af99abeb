// Package tags has files with build constraints.
package tags

import "encoding/json"

func write(v any) ([]byte, error) {
	return json.Marshal(v) // want marshal std-json int via extra
}
