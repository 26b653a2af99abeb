module realtypes.invalid/hcloud

go 1.26

require github.com/hetznercloud/hcloud-go/v2 v2.21.0

require (
	github.com/dave/jennifer v1.6.0 // indirect
	github.com/jessevdk/go-flags v1.4.1-0.20181029123624-5de817a9aa20 // indirect
	github.com/jmattheis/goverter v1.8.0 // indirect
	github.com/vburenin/ifacemaker v1.2.1 // indirect
	golang.org/x/mod v0.21.0 // indirect
	golang.org/x/sync v0.12.0 // indirect
	golang.org/x/tools v0.25.0 // indirect
)
