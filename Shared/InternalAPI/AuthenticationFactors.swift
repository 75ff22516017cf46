/// The factors that the user of a session has shown: by signing in, and by each step-up since.
///
/// The raw value is stored with sessions and sealed into statements, so a bit never changes its meaning.
package struct AuthenticationFactors: OptionSet, Codable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A code in a message to the phone, or a phone token.
    package static let sms = Self(rawValue: 1 << 0)
    /// A code in a call.
    package static let tel = Self(rawValue: 1 << 1)
    /// A code or a link in a mail.
    package static let email = Self(rawValue: 1 << 2)
    package static let pwd = Self(rawValue: 1 << 3)
    /// A code of an authenticator app, or a recovery code.
    package static let otp = Self(rawValue: 1 << 4)
    /// A passkey.
    package static let pop = Self(rawValue: 1 << 5)
    /// The passkey's device has verified the user.
    package static let user = Self(rawValue: 1 << 6)
    /// Apple or an OpenID Connect provider.
    package static let fed = Self(rawValue: 1 << 7)
    /// A restore key of Android, which signs in without the user's input.
    package static let restore = Self(rawValue: 1 << 8)

    /// Creates the factors that a sign-in shows by its method alone, if nothing else is known about it.
    package init(method: String) {
        self =
            switch method {
            case "sms", "whatsapp": .sms
            case "call": .tel
            case "email", "link", Attestation.recoveryMethod: .email
            case "password": .pwd
            case "apple": .fed
            case _ where method.hasPrefix("oidc:"): .fed
            case _ where method.hasPrefix("phone:"): .sms
            case _ where PasskeyMethod.matches(method): .pop
            default: []
            }
    }

    /// Returns the factors that are left when the user's second factors are gone: those of the sign-in with `method`.
    package func lowered(toMethod method: String) -> Self {
        guard PasskeyMethod.matches(method) else { return intersection(Self(method: method)) }
        return contains(.restore) ? .restore : intersection([.pop, .user])
    }
}

/// The method of the sessions that a passkey or a restore key opened, by which its removal revokes them.
package enum PasskeyMethod {
    private static let name = "passkey"

    /// - Parameter id: the id of the passkey's row, in hexadecimal.
    package static func text(_ id: String) -> String { "\(name):\(id)" }

    static func matches(_ method: String) -> Bool { method.hasPrefix(name + ":") }

    /// The label of a method in metrics: one for all passkeys.
    package static func label(_ method: String) -> String { matches(method) ? name : method }
}

extension AuthenticationFactors {
    package static let aal1 = "aal1"
    package static let aal2 = "aal2"

    /// Factors that begin a session. Two of them are no more than one: a phone number or a mailbox resets the others.
    private static let first: Self = [.sms, .tel, .email, .pwd, .fed]

    /// Whether the factors are a passkey whose device verified the user, or a first factor with a second one, which is a passkey or
    /// a code of an authenticator app. A restore key counts only as what a code of the app follows.
    package var areMultiple: Bool {
        isSuperset(of: [.pop, .user]) || contains(.otp) && !subtracting(.otp).isEmpty
            || contains(.pop) && !isDisjoint(with: Self.first)
    }

    /// The claim `acr`.
    package var acr: String { areMultiple ? Self.aal2 : Self.aal1 }

    /// The claim `amr`: RFC 8176's names, and in addition `email`, `fed` and `restore`, for which it has none.
    package var amr: [String] {
        Self.names.filter { contains($0.factor) }.map(\.name) + (areMultiple ? ["mfa"] : [])
    }

    private static let names: [(factor: Self, name: String)] = [
        (.sms, "sms"), (.tel, "tel"), (.email, "email"), (.pwd, "pwd"), (.otp, "otp"), (.pop, "pop"),
        (.user, "user"), (.fed, "fed"), (.restore, "restore"),
    ]
}
