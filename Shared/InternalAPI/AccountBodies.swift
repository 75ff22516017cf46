/// Begins an account with an address and a password; its owner confirms it by the link that he is sent.
package struct RegisterRequest: Codable, Sendable, Equatable {
    /// As the client wrote it, so too in the other requests here; user-service makes the one spelling of it.
    package var email: String
    package var password: String
    package var name: String?
    /// The languages that the client asks for, best first.
    package var locales: [String]
    /// The client's address, for limits; text form of IPv4 or IPv6.
    package var address: String
    /// Makes a repeat of this very call harmless: it has the same answer.
    package var callID: String
    /// Whether the mailed link confirms the registration without the password; nil: it does not.
    package var linkSuffices: Bool?

    package init(
        email: String, password: String, name: String? = nil, locales: [String], address: String, callID: String,
        linkSuffices: Bool? = nil
    ) {
        self.email = email
        self.password = password
        self.name = name
        self.locales = locales
        self.address = address
        self.callID = callID
        self.linkSuffices = linkSuffices
    }
}

/// Asks for a mail with a link: to confirm a registration, or to set a password.
package struct AccountMailRequest: Codable, Sendable, Equatable {
    package var email: String
    package var locales: [String]
    package var address: String
    package var callID: String
    /// As in `RegisterRequest`, of the registrations whose links are renewed.
    package var linkSuffices: Bool?

    package init(
        email: String, locales: [String], address: String, callID: String, linkSuffices: Bool? = nil
    ) {
        self.email = email
        self.locales = locales
        self.address = address
        self.callID = callID
        self.linkSuffices = linkSuffices
    }
}

/// Presents a link's token and a password: the registration's, or the new one.
package struct AccountLinkRequest: Codable, Sendable, Equatable {
    package var token: String
    /// Nil for a registration whose link suffices.
    package var password: String?
    package var address: String
    package var callID: String

    package init(token: String, password: String?, address: String, callID: String) {
        self.token = token
        self.password = password
        self.address = address
        self.callID = callID
    }
}

/// Asks which address a reset link was mailed to.
package struct ResetLinkRequest: Codable, Sendable, Equatable {
    package var token: String

    package init(token: String) { self.token = token }
}

/// The address that a reset link was mailed to.
package struct ResetLinkAnswer: Codable, Sendable, Equatable {
    /// `nil` for every token that sets no password now: unknown, used, expired or for something else.
    package var email: String?

    package init(email: String?) { self.email = email }
}

/// Proves an address by its password.
package struct PasswordProofRequest: Codable, Sendable, Equatable {
    package var email: String
    package var password: String
    package var address: String
    /// Nil where the client gives its call no name: nothing is kept then, and a repeat is hashed again and has another proof.
    package var callID: String?

    package init(email: String, password: String, address: String, callID: String?) {
        self.email = email
        self.password = password
        self.address = address
        self.callID = callID
    }
}

/// Gives the bearer another password.
package struct ChangePasswordRequest: Codable, Sendable, Equatable {
    package var oldPassword: String
    package var newPassword: String
    package var address: String
    package var callID: String

    package init(oldPassword: String, newPassword: String, address: String, callID: String) {
        self.oldPassword = oldPassword
        self.newPassword = newPassword
        self.address = address
        self.callID = callID
    }
}

/// Gives the bearer's account up, at the word of its password.
package struct DeleteByPasswordRequest: Codable, Sendable, Equatable {
    package var password: String
    package var address: String
    package var callID: String

    package init(password: String, address: String, callID: String) {
        self.password = password
        self.address = address
        self.callID = callID
    }
}

/// What came of a call about an account with a password.
package struct AccountAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case done
        /// Only of a right password.
        case proved
        case invalidEmail = "invalid_email"
        case invalidName = "invalid_name"
        case weakPassword = "weak_password"
        case registrationClosed = "registration_closed"
        /// Used, expired, unknown, or for something else.
        case invalidLink = "invalid_link"
        /// Of a registration, or of whoever is signed in.
        case wrongPassword = "wrong_password"
        /// The same for an unknown address, for one that is not confirmed or has no password, and for a wrong one.
        case invalidCredentials = "invalid_credentials"
        /// Told to who knows the password alone.
        case accountInactive = "account_inactive"
        case noPassword = "no_password"
        case rateLimited = "rate_limited"
        /// The new password holds; that sessions have ended is not confirmed yet.
        case changePending = "change_pending"
        /// Nobody has a password here.
        case off
    }

    package var result: Result
    /// With `rateLimited`.
    package var retryAfterSeconds: Int64?
    /// With `proved`: what `resolve` takes.
    package var proof: String?
    /// With `proof`: what `resolve` answers to it, so that a login need not ask; nil where it is to be asked.
    package var resolved: ResolveAnswer?

    package init(
        _ result: Result, retryAfterSeconds: Int64? = nil, proof: String? = nil, resolved: ResolveAnswer? = nil
    ) {
        self.result = result
        self.retryAfterSeconds = retryAfterSeconds
        self.proof = proof
        self.resolved = resolved
    }
}

/// Whether somebody who asks for a code may become a user, or is one.
package struct WelcomeRequest: Codable, Sendable, Equatable {
    /// As the client wrote it.
    package var phone: String
    package var region: String?
    /// Whose region holds where the client names none; nil: native.
    package var dialect: String?

    package init(phone: String, region: String? = nil, dialect: String? = nil) {
        self.phone = phone
        self.region = region
        self.dialect = dialect
    }
}

package struct WelcomeAnswer: Codable, Sendable, Equatable {
    package var isWelcome: Bool

    package init(isWelcome: Bool) { self.isWelcome = isWelcome }
}

/// Makes an administrator with an address and a password.
package struct CreateAdminRequest: Codable, Sendable, Equatable {
    package var email: String
    package var password: String

    package init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// Lets somebody become a user with a role, though strangers may not.
package struct InviteRequest: Codable, Sendable, Equatable {
    /// An e-mail address, or a phone number with `+` and calling code.
    package var to: String
    /// Nil: that of all users.
    package var role: String?

    package init(to: String, role: String? = nil) {
        self.to = to
        self.role = role
    }
}

/// What an operator's act made.
package struct InviteAnswer: Codable, Sendable, Equatable {
    /// Unix time in seconds.
    package var expiresAt: Int64
    /// Whether a mail with a link goes out.
    package var isMailed: Bool

    package init(expiresAt: Int64, isMailed: Bool) {
        self.expiresAt = expiresAt
        self.isMailed = isMailed
    }
}

package struct CreatedUser: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}
