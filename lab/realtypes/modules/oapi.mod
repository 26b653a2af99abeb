module realtypes.invalid/oapi

go 1.26

require github.com/oapi-codegen/runtime v1.8.0

require github.com/google/uuid v1.6.0 // indirect
