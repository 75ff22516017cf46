import InternalAPI
import Policies

/// The numbers of the functions' rules: a dialect's, in the last argument of each call.
///
/// The counts of a phone number are one history for all dialects, and each dialect applies its own numbers to it. So it is
/// remembered as long as any of them needs it.
/// A limit is `[max, windowSeconds]`, a lockout `[failures, withinSeconds, lockSeconds]`.
struct ScriptRules {
    /// How long a phone number is recognised at an address block from which it signed in, in seconds.
    static let knownSeconds: Int64 = 90 * 86_400
    /// The number of address blocks at which a phone number is recognised. A new one replaces the one used longest ago.
    static let knownBlocksMax = 7
    /// How long a call is recognised when it is repeated, in seconds.
    static let callMemorySeconds: Int64 = 120

    /// The longest value that stays in the bucket: Redis' `hash-max-listpack-value` by default. One longer value would turn its
    /// whole bucket into a table of many times the size.
    static let bucketValueBytesMax = 64

    let policy: OTPPolicy
    /// The rules of all dialects.
    let all: [OTPPolicy]
    /// The budgets of messages; `nil` if nothing bounds their cost.
    var spend: SpendPolicy?
    /// Whether only invited phone numbers become users. No response may reveal which ones are invited.
    var isClosed = false

    /// The numbers as JSON, which `rulesOf` decodes.
    var json: String {
        """
        {"lifetime":\(policy.lifetimeSeconds),"approved":\(policy.approvedSeconds),\
        "tries":\(policy.attemptsPerChallenge),"challengeMemory":\(challengeMemorySeconds),\
        "sends":\(Self.table(policy.sendsPerRecipient.map(\.pair))),\
        "attempts":\(Self.table(policy.attemptsPerRecipient.map(\.pair))),\
        "lockouts":\(Self.table(policy.lockouts.map { [Int64($0.failures), $0.withinSeconds, $0.lockSeconds] })),\
        "sendMemory":\(sendMemorySeconds),"attemptMemory":\(attemptMemorySeconds),\
        "laneMemory":\(laneMemorySeconds),\
        "callMemory":\(Self.callMemorySeconds),"knownSeconds":\(Self.knownSeconds),"knownMax":\(Self.knownBlocksMax),\
        "bucketValueBytesMax":\(Self.bucketValueBytesMax),"spend":\(spendTable),\
        "closed":\(isClosed)}
        """
    }

    /// The names of audit records as a Lua table, which is part of the library.
    static var audited: String {
        """
        local audited = {
          fields = {
            time = '\(OTPAuditStream.Field.time)', event = '\(OTPAuditStream.Field.event)',
            subject = '\(OTPAuditStream.Field.subject)', detail = '\(OTPAuditStream.Field.detail)',
            identity = '\(OTPAuditStream.Field.identity)', tally = '\(OTPAuditStream.Field.tally)',
          },
          reviewedSeconds = \(LockoutSeal.reviewedSeconds),
          entriesMax = \(OTPAuditStream.entriesMax),
          \(OTPAuditEvent.allCases.map { "\($0) = '\($0.rawValue)'," }.joined(separator: "\n  "))
        }

        """
    }

    /// How long counters are kept. Those of hours are kept for the operator's report.
    private static let (hourMemorySeconds, dayMemorySeconds): (Int64, Int64) = (50 * 3_600, 3 * 86_400)

    private var spendTable: String {
        guard let spend else { return "false" }
        return
            "{\"hour\":\(spend.budget.hour),\"day\":\(spend.budget.day),\"strangersPercent\":\(spend.strangersPercent),"
            + "\"enforces\":\(spend.mode == .enforce),\"memory\":{\"hour\":\(Self.hourMemorySeconds),"
            + "\"day\":\(Self.dayMemorySeconds)}}"
    }

    var challengeMemorySeconds: Int64 { longest { $0.lifetimeSeconds + $0.recordOutlivesSeconds } }

    var sendMemorySeconds: Int64 {
        longest { max($0.sendsPerRecipient.longestWindowSeconds, Self.callMemorySeconds) }
    }

    var attemptMemorySeconds: Int64 {
        longest {
            max($0.attemptsPerRecipient.longestWindowSeconds, $0.lockouts.longestMemorySeconds, Self.callMemorySeconds)
        }
    }

    /// How long guesses in a lane of its own are remembered.
    var laneMemorySeconds: Int64 { max(attemptMemorySeconds, longest { $0.lockouts.longestSeconds }) }

    private func longest(_ seconds: (OTPPolicy) -> Int64) -> Int64 { (all + [policy]).map(seconds).max() ?? 0 }

    private static func table(_ rows: [[Int64]]) -> String {
        "[" + rows.map { row in "[\(row.map(String.init).joined(separator: ","))]" }.joined(separator: ",") + "]"
    }
}

extension RateLimit {
    fileprivate var pair: [Int64] { [Int64(max), windowSeconds] }
}
