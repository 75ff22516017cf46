/// A limit over a window of the clock that many numbers share, and the counter in which the call is counted.
struct LimitWindow: Sendable, Equatable {
    let rule: LimitRule
    let key: String
    /// The counter's name in the hash `key`: a tag, or empty if the key has only one counter.
    let field: [UInt8]
    /// The count at which unrecognised clients are refused; `nil` if they are neither refused nor counted.
    let unrecognisedMax: Int?
    /// The count at which recognised clients are refused; `nil` if they are neither refused nor counted.
    let knownMax: Int?
    /// The end of the window, in Unix seconds.
    let endsAt: Int64
}

/// The limits that do not apply to a client with a loopback or private address.
enum LimitExemption: Sendable, Equatable {
    case none, byAddress, all
}
