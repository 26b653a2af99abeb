// Fxjson generates JSON methods for Go types.
//
//	//go:generate fxjson -type=UserSession
//
// writes user_session_json.go into the folder of the file with this line. See fxjson -h.
package main

import (
	"os"

	"github.com/zmylab/zmy/gen/cli"
)

func main() { os.Exit(cli.FXJSON(os.Args[1:], os.Stdout, os.Stderr)) }
