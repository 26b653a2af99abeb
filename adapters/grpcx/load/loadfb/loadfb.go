// Package loadfb has the messages of package msg as FlatBuffers.
package loadfb

//go:generate sh -c "flatc --go -o .. load.fbs && mv Item.go item.go && mv Message.go message.go"
