module realtypes.invalid/bson

go 1.26

require go.mongodb.org/mongo-driver/v2 v2.10.0
