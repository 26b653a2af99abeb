// Package degrade decides with which of two codecs calls begin: with the primary, or with a
// fallback while the primary fails and is slow.
//
// A [Machine] is a canary of package codec/canary that begins promoted: the primary is its
// candidate, the fallback its incumbent. This package decides when the candidate is rolled back,
// and which sizes of messages then use the fallback. It does not depend on gRPC: package grpcx asks
// it before each call and reports the result afterwards.
//
// # Rules
//
//   - The machine looks at the last Window (60 s). With at least MinSamples calls in it, it leaves
//     the primary if the 99th percentile of the time in the codec exceeds P99 and the share of
//     calls in which the codec failed exceeds Errors. Both at once are rare, and that is intended:
//     either alone has other causes, such as large messages or broken clients. ErrorsOnly adds a
//     rule that ignores the time.
//   - Guard: if time is a reason, a class of message sizes goes to the fallback only if the
//     fallback was faster in the same calls. To know that, the fallback repeats the primary's work
//     on a share Shadow of the calls (at most 1%). If it is faster for no class, nothing changes.
//   - A fallback that failed at least as often as the primary is not used again for MaxHold.
//   - The fallback is kept for at least Hold (60 s). Then the primary is tried on the shares Steps
//     of the calls (1%, 10%, 100%), on each for at least StepTime and MinTrials calls. If the rule
//     that led away from the primary holds among the trials, the fallback is kept for twice as long
//     as the last time, up to MaxHold.
//
// Each change is an [Event]:
//
//	PRIMARY ──rule holds──▶ FALLBACK ──hold over──▶ HALF-OPEN 1% ─▶ 10% ─▶ 100% ──▶ PRIMARY
//	                        ▲                        │ rule holds among the trials
//	                        └────────────────────────┘
package degrade
