module realtypes.invalid/charge

go 1.26

require github.com/stripe/stripe-go/v82 v82.5.1
