module compat.invalid/shop

go 1.24
