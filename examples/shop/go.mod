module example.org/shop

go 1.25.0
