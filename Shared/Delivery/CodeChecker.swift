/// A provider that generates codes itself, and checks them.
package protocol CodeChecker: Sendable {
    /// The `provider` label of metrics.
    var provider: String { get }

    /// Asks the provider once whether `code` is the one that it sent to `number` last; the provider counts this as a guess.
    ///
    /// - Parameters:
    ///     - number: The phone number in E.164.
    ///     - limit: The time limit for the response.
    func check(_ code: String, of number: String, within limit: Duration) async -> CodeCheck
}

/// A provider's verdict on a code.
package enum CodeCheck: Sendable, Equatable {
    case right, wrong
    /// The provider accepts no more guesses at the number's code.
    case usedUp
    /// The provider no longer has a code for the number.
    case gone
    /// The provider did not respond; the code may have been right, and is used then.
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
