// Fxjson generates JSON methods for Go types.
//
//	//go:generate fxjson -type=UserSession
//
// writes user_session_json.go beside the file that holds the line. See fxjson -h.
package main

import (
	"os"

	"github.com/zmylab/zmy/gen/cli"
)

func main() { os.Exit(cli.FXJSON(os.Args[1:], os.Stdout, os.Stderr)) }
