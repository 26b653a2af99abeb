module realtypes.invalid/paypal

go 1.26

require github.com/plutov/paypal/v4 v4.8.0
