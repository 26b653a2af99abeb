module realtypes.invalid/mastodon

go 1.26

require github.com/mattn/go-mastodon v0.0.13

require (
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/tomnomnom/linkheader v0.0.0-20250811210735-e5fe3b51442e // indirect
)
