module realtypes.invalid/helm

go 1.26.0

require helm.sh/helm/v3 v3.22.0

require github.com/Masterminds/semver/v3 v3.5.0 // indirect
