import Policies

/// A password that somebody tries.
struct PasswordGuess: Sendable {
    /// The address, in its one spelling.
    let account: String
    /// Nil for a client whose address nobody knows; it has no limit by address.
    let client: IPAddress?
    /// Whether one of the user's own tokens came with it.
    let isBearer: Bool
    /// Unix time in seconds.
    let now: Int64
}

/// A mail that somebody asks for.
struct AccountMail: Sendable {
    /// In its one spelling.
    let account: String
    /// Under which mails are counted.
    let mailbox: String
    let client: IPAddress?
    /// Unix time in seconds.
    let now: Int64
}

enum LimitVerdict: Sendable, Equatable {
    case admitted
    /// After that wait it really fits.
    case limited(retryAfterSeconds: Int64)
}

/// Of mails that are asked for together.
enum MailVerdict: Sendable, Equatable {
    /// So many of them may go out, one at least.
    case admitted(Int)
    /// After that wait the next one really fits.
    case limited(retryAfterSeconds: Int64)
}

/// Nothing could be counted: 503, and nothing is hashed.
struct GuessLimitsFailure: Error, CustomStringConvertible {
    let description: String
    let retryAfterSeconds: Int64

    init(_ description: String, retryAfterSeconds: Int64 = 1) {
        self.description = description
        self.retryAfterSeconds = retryAfterSeconds
    }
}
