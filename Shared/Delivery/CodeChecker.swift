/// A provider that makes codes itself, and knows whether one is right.
package protocol CodeChecker: Sendable {
    /// The `provider` label of metrics.
    var provider: String { get }

    /// Asks once whether `code` is the one that went to `number` last; the provider counts it as a guess.
    ///
    /// - Parameters:
    ///   - number: E.164.
    ///   - limit: for the answer.
    func check(_ code: String, of number: String, within limit: Duration) async -> CodeCheck
}

/// What a provider says of a code that was presented.
package enum CodeCheck: Sendable, Equatable {
    case right, wrong
    /// It takes no more guesses at the number's code.
    case usedUp
    /// It has no code of the number any more.
    case gone
    /// It did not say; the code may have been right, and is then spent.
    case unknown(DeliveryFailure)

    /// The `outcome` label of metrics.
    package var label: String {
        switch self {
        case .right: "right"
        case .wrong: "wrong"
        case .usedUp: "used_up"
        case .gone: "gone"
        case .unknown(let failure): failure.label
        }
    }
}
