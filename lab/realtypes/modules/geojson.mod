module realtypes.invalid/geojson

go 1.26

require github.com/paulmach/orb v0.14.0

require go.mongodb.org/mongo-driver/v2 v2.5.0 // indirect
