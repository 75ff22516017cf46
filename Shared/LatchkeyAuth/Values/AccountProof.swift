/// A proof that an account is the user's.
public struct AccountProof: Sendable, Equatable {
    /// The members of a request.
    let members: [String: JSONValue?]
    /// The part that makes two proofs different.
    let secret: String
    /// Whether it serves once, so that a repeat can only be that of the same request.
    var servesOnce = true

    /// The code that the user has typed; spaces and hyphens do not count.
    /// - Parameter channel: that of the request for the code, if it had one.
    public static func code(_ code: String, channel: ProofChannel? = nil) -> AccountProof {
        let digits = PendingCode.digits(of: code)
        return AccountProof(
            members: ["code": .string(digits), "channel": .optional(channel?.rawValue)], secret: digits)
    }

    /// The account's password.
    public static func password(_ password: String) -> AccountProof {
        AccountProof(members: ["password": .string(password)], secret: password, servesOnce: false)
    }

    /// A new identity token for the account at `apple` or another provider.
    public static func provider(_ provider: String, identityToken: String, nonce: String? = nil) -> AccountProof {
        let members: [String: JSONValue?] = [
            "provider": .string(provider), "identityToken": .string(identityToken), "nonce": .optional(nonce),
        ]
        return AccountProof(members: members, secret: identityToken)
    }

    /// A phone token for the account's number.
    public static func phoneToken(_ token: String, nonce: String? = nil) -> AccountProof {
        AccountProof(members: ["phoneToken": .string(token), "nonce": .optional(nonce)], secret: token)
    }
}

/// Prints no code, password or token.
extension AccountProof: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "AccountProof(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
