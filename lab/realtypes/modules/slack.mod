module realtypes.invalid/slack

go 1.26

require github.com/slack-go/slack v0.35.0

require github.com/gorilla/websocket v1.5.3 // indirect
