/// A violation in a history, with its details.
package struct HistoryFinding: Sendable, Hashable, CustomStringConvertible {
    /// The invariants of the security guide, sections 3 and 5.
    package enum Invariant: String, Sendable {
        /// A refresh token has at most one successor.
        case oneSuccessor = "I-1"
        /// After an answered reuse nothing of the session succeeds.
        case reuseEnds = "I-2"
        /// After an acknowledged end nothing of the session succeeds.
        case endIsFinal = "I-3"
        /// Acknowledged changes are not lost.
        case nothingIsLost = "I-4"
        /// No more guesses are evaluated than the policy allows.
        case guessesAreBounded = "I-5"
        /// One right code or link, and the two of one mail together, make one session.
        case oneSessionPerCode = "I-6"
        /// No success without a credential that was given out.
        case onlyWithCredential = "I-10"
        /// After an answered change of the password the old one opens nothing.
        case oldPasswordIsVoid = "R-38"
        /// A mailed link has one effect.
        case linkServesOnce = "R-67"
        /// An imported user is one user, however often the import is repeated, and different from all others.
        case movedInOnce = "moved in once"
    }

    package let invariant: Invariant
    package let detail: String

    package var description: String { "\(invariant.rawValue): \(detail)" }

    init(_ invariant: Invariant, _ detail: String) {
        self.invariant = invariant
        self.detail = detail
    }
}

/// The policy's promises to the clients of a history.
package struct HistoryRules: Sendable {
    /// Guesses that may be evaluated for one challenge.
    package var guessesPerChallengeMax = 5
    /// How long after an answered end an access token may still pass.
    package var accessEndBound = Duration.milliseconds(100)
    /// How long a used token without an `Idempotency-Key` yields the same successor (`repeatWithoutKeySeconds`); zero: never.
    /// With its key it does however late.
    package var repeatLimitWithoutKey = Duration.zero
    /// `repeatWithoutKeySeconds: untilUsed`: a token yields the same successor until that is used, whatever the keys. For
    /// `slowTabLimit` after that, it is refused and ends nothing.
    package var repeatsUntilUsed = false
    package var slowTabLimit = Duration.seconds(10)
    /// For so long after its successor was used, a copy with its own key is refused and ends nothing.
    package var lateCopyLimit = Duration.seconds(60)
    /// How long before the newest rotation another tab of a page may have replaced a token that is still answered
    /// (`lateTabSeconds`).
    package var lateTabWindow = Duration.seconds(120)
    /// `onReuse: refuse`: used tokens are refused, and the session lives.
    package var sparesSession = false

    package init() {}
}

/// Judges what clients were answered; pure, and needs no knowledge of how it was done.
///
/// It assumes nothing of an operation without an answer: a finding means that no way of running the history explains it.
/// A history must be shorter than the lives of its tokens, for nothing in it expires.
package struct HistoryChecker: Sendable {
    package var rules: HistoryRules

    package init(_ rules: HistoryRules = HistoryRules()) { self.rules = rules }

    /// Returns the violations in the history, each once; empty if there are none.
    package func findings(in operations: [Operation]) -> [HistoryFinding] {
        let history = History(operations)
        let found =
            successorFindings(history) + endFindings(history) + lossFindings(history) + codeFindings(history)
            + credentialFindings(history) + passwordFindings(history) + movedInFindings(history) + pageFindings(history)
        var seen: Set<HistoryFinding> = []
        return found.filter { seen.insert($0).inserted }
    }
}
