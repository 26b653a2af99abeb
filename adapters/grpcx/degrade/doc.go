// Package degrade decides with which of two codecs calls begin: the primary one, or a
// fallback while the primary fails and is slow.
//
// A [Machine] is a canary of package codec/canary that begins promoted: the primary is its
// candidate, the fallback its incumbent. This package adds the rule by which the candidate goes
// back, and which sizes of messages follow it. It knows nothing of gRPC: package grpcx asks it
// before each call and tells it afterwards.
//
// # Rules
//
//   - It looks at the last Window (60 s). With at least MinSamples calls in it, the
//     primary is left when the 99th percentile of the time in the codec exceeds P99
//     and, at the same time, the share of calls in which the codec failed exceeds
//     Errors. Both at once are rare, which is the point: either alone has other causes,
//     as large messages or broken clients. ErrorsOnly adds a rule without the time.
//
//   - Guard: where time is a reason, a class of message sizes goes to the fallback only if that
//     was faster in the same calls: on a share Shadow of them (at most 1%) the fallback
//     does the same work beside the primary. No class faster, no change.
//
//   - A fallback that failed no less than the primary is not used again for MaxHold.
//
//   - The fallback is kept for Hold at least (60 s). Then the primary is tried on the
//     shares Steps of the calls (1%, 10%, 100%), on each for StepTime and MinTrials
//     calls at least. Where the rule that led away holds among the trials, the fallback is
//     kept for twice as long as the last time, up to MaxHold.
//
//   - Each change is an [Event].
//
//     PRIMARY ──rule holds──▶ FALLBACK ──hold over──▶ HALF-OPEN 1% ─▶ 10% ─▶ 100% ──▶ PRIMARY
//     ▲                        │ rule holds among the trials
//     └────────────────────────┘
package degrade
