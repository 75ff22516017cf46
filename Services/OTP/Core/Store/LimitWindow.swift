/// A limit over a window of the clock that many numbers share, and the counter that the call falls under.
struct LimitWindow: Sendable, Equatable {
    let rule: LimitRule
    let key: String
    /// The counter's name in the hash `key`: a tag, or nothing where the key has one counter alone.
    let field: [UInt8]
    /// The count at which unrecognised clients are refused; `nil`: they are neither refused nor counted.
    let strangersMax: Int?
    /// The count at which recognised clients are refused; `nil`: they are neither refused nor counted.
    let knownMax: Int?
    /// Unix seconds.
    let endsAt: Int64
}

/// Which limits do not hold for a caller on a loopback or private address.
enum LimitExemption: Sendable, Equatable {
    case none, byAddress, all
}
