import Policies

/// Decides whether a sign-in comes from an unknown device in an unknown network, and what follows.
struct NewDeviceRule: Sendable {
    /// How many seconds pass before a device or a network is written again.
    static let touchSeconds: Int64 = 86_400
    /// The anomalies within `reviewSeconds` that open a review of the account.
    static let reviewCount = 3
    static let reviewSeconds: Int64 = 7 * 86_400

    /// Whether users are notified.
    let notifies: Bool

    /// The result for one sign-in.
    struct Decision: Sendable, Equatable {
        /// The rows to write.
        var noted: [KnownOrigin] = []
        /// The rows to remove.
        var forgotten: [KnownOrigin] = []
        var isAnomaly = false
        /// Whether the user is notified.
        var isNotified = false
        /// The Unix time in seconds of the first anomaly that the review to open is about; `nil` if none is opened.
        var reviewSince: Int64?
    }

    /// Decides on a sign-in. The first one of a user is no anomaly.
    ///
    /// - Parameters:
    ///   - here: the sign-in's device and network, seen now; without its device or its network, the other one decides.
    ///   - merged: the same with the tags for users who were merged into this one.
    ///   - stored: the user's rows, also expired ones.
    ///   - reviewedSince: the begin of the open review, a Unix time in seconds; `nil` if none is open, or one that ends by itself.
    ///   - now: Unix time in seconds.
    func signIn(
        _ here: [KnownOrigin], merged: [KnownOrigin] = [], _ stored: [KnownOrigin], reviewedSince: Int64?, now: Int64
    ) -> Decision {
        let known = stored.filter { $0.seenAt > now - KnownOrigin.keptSeconds }
        // After a report, the notice may be all that is left.
        let hasHistory = known.contains { $0.kind != .anomaly }
        let isKnown = (here + merged).contains { origin in known.contains { $0.isSame(as: origin) } }
        var decision = Decision()
        if hasHistory, !isKnown, let first = here.first {
            decision = anomaly(first.tag, known, reviewedSince: reviewedSince, now: now)
        }
        decision.noted += here.filter { origin in
            !known.contains { $0.isSame(as: origin) && $0.seenAt > now - Self.touchSeconds }
        }
        decision.forgotten = surplus(of: stored, with: decision.noted)
        return decision
    }

    /// Decides on a refresh by another kind of device than the one that signed in. The user is not notified of it.
    ///
    /// - Parameter tag: identifies the session and the day, which count once.
    func refresh(_ tag: [UInt8], _ stored: [KnownOrigin], reviewedSince: Int64?, now: Int64) -> Decision {
        guard !stored.contains(where: { $0.kind == .anomaly && $0.tag == tag }) else { return Decision() }
        var decision = NewDeviceRule(notifies: false).anomaly(tag, stored, reviewedSince: reviewedSince, now: now)
        decision.forgotten = surplus(of: stored, with: decision.noted)
        return decision
    }

    /// Decides on an anomaly.
    ///
    /// - Parameter tag: identifies it, so that it counts once.
    private func anomaly(_ tag: [UInt8], _ known: [KnownOrigin], reviewedSince: Int64?, now: Int64) -> Decision {
        var decision = Decision(noted: [KnownOrigin(.anomaly, tag: tag, seenAt: now)], isAnomaly: true)
        if notifies, !known.contains(where: { $0.kind == .notice && $0.seenAt > now - KnownOrigin.noticeSeconds }) {
            decision.isNotified = true
            decision.noted.append(.notice(at: now))
        }
        let earlier = known.filter { $0.kind == .anomaly && $0.tag != tag && $0.seenAt > now - Self.reviewSeconds }
        // An open review that begins later, such as one after a lockout, which anybody can cause, would not hold back the first changes.
        let isReviewed = earlier.count + 1 >= Self.reviewCount
        if isReviewed, let first = earlier.map(\.seenAt).min(), first < reviewedSince ?? .max {
            decision.reviewSince = first
        }
        return decision
    }

    /// The rows over `KnownOrigin.countMax` of a kind once others are written, those that were seen longest ago.
    private func surplus(of stored: [KnownOrigin], with noted: [KnownOrigin]) -> [KnownOrigin] {
        KnownOrigin.Kind.allCases.flatMap { kind in
            let new = noted.filter { $0.kind == kind }
            guard !new.isEmpty else { return [KnownOrigin]() }
            let kept = stored.filter { row in row.kind == kind && !new.contains { $0.isSame(as: row) } }
            let surplus = kept.count + new.count - KnownOrigin.countMax
            return surplus > 0 ? Array(kept.sorted { $0.seenAt < $1.seenAt }.prefix(surplus)) : []
        }
    }
}
