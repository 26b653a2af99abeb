module realtypes.invalid/sendgrid

go 1.26

require github.com/sendgrid/sendgrid-go v3.16.1+incompatible
