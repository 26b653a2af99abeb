module example.org/relay

go 1.25.0
