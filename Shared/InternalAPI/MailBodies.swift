/// Requests a sign-in mail.
package struct MailRequest: Codable, Sendable, Equatable {
    /// The address as the client wrote it; otp-service normalises it.
    package var email: String
    /// BASE64URL(SHA-256(verifier)), RFC 7636; without it the mail contains a code but no link.
    package var challenge: String?
    package var purpose: Purpose
    /// The signed-in user who requests the code, only for a purpose that is bound to a user (`Purpose.isBound`).
    package var userID: String?
    /// The dialect in which only the code is valid; `nil` means native.
    package var dialect: String?
    /// The address of the app to which the link leads; only in the dialect `supabase`, where a mail without it has no link.
    package var redirect: String?
    /// Whether the address belongs to no user, although only users may get this mail: then the request is counted as usual, but no
    /// mail is sent. `nil` means `false`.
    package var isUnwelcome: Bool?
    /// The languages that the client asks for, best first.
    package var locales: [String]
    /// The client's IP address (IPv4 or IPv6 as text), used for limits.
    package var address: String
    /// Identifies this call: a repeat is neither counted nor sent again.
    package var callID: String

    package init(
        email: String, challenge: String?, purpose: Purpose, userID: String? = nil, dialect: String? = nil,
        redirect: String? = nil, isUnwelcome: Bool? = nil, locales: [String], address: String, callID: String
    ) {
        self.isUnwelcome = isUnwelcome
        (self.dialect, self.redirect) = (dialect, redirect)
        self.email = email
        self.challenge = challenge
        self.purpose = purpose
        self.userID = userID
        self.locales = locales
        self.address = address
        self.callID = callID
    }
}

/// Presents the proof from a mail: a code with its address, or a link's token with the client's verifier.
package struct MailVerify: Codable, Sendable, Equatable {
    package var email: String?
    package var code: String?
    package var token: String?
    package var verifier: String?
    package var purpose: Purpose
    /// See `MailRequest`.
    package var userID: String?
    /// See `MailRequest`.
    package var dialect: String?
    package var address: String
    /// See `MailRequest`.
    package var callID: String

    package init(
        email: String? = nil, code: String? = nil, token: String? = nil, verifier: String? = nil, purpose: Purpose,
        userID: String? = nil, dialect: String? = nil, address: String, callID: String
    ) {
        self.dialect = dialect
        self.email = email
        self.code = code
        self.token = token
        self.verifier = verifier
        self.purpose = purpose
        self.userID = userID
        self.address = address
        self.callID = callID
    }
}

/// A provider's webhook about the delivery of a mail, unchanged; otp-service checks its signature.
package struct MailWebhook: Codable, Sendable, Equatable {
    /// The fields `svix-id`, `svix-timestamp` and `svix-signature`.
    package var id: String
    package var timestamp: String
    package var signature: String
    package var body: String

    package init(id: String, timestamp: String, signature: String, body: String) {
        self.id = id
        self.timestamp = timestamp
        self.signature = signature
        self.body = body
    }
}

/// The outcome of a `MailWebhook`.
package struct MailWebhookAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case noted
        /// The signature is not the provider's, or is too old.
        case forged
        /// This deployment expects no webhooks.
        case off
    }

    package var result: Result

    package init(_ result: Result) { self.result = result }
}

/// A mail that informs a user about their account, or a text message about a change to a user without an email address; answered with `Done` once it was sent or turned out to be useless.
package struct MailNotice: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The account is scheduled for deletion and will be removed at `at`.
        case accountDeletion = "account_deletion"
        /// Somebody registered with the address; the link confirms it until `at`.
        case confirmRegistration = "confirm_registration"
        /// Somebody registered with the address; the link confirms it until `at`, without the password.
        case confirmRegistrationByLink = "confirm_registration_by_link"
        /// Somebody registered with the address, which has an account already.
        case addressKnown = "address_known"
        /// The link sets a new password until `at`.
        case passwordReset = "password_reset"
        /// The account's password was changed or set at `at`.
        case passwordChanged = "password_changed"
        /// The account got, replaced or lost a phone number, an email address, another identity or its password at `at`.
        case identityChanged = "identity_changed"
        /// Somebody signed in at `at` from a device and a network from which the user had not signed in before.
        case newDevice = "new_device"
        /// Support changes the account's phone number at `at`, unless the user objects.
        case phoneChange = "phone_change"
        /// The account and another one are merged at `at`, unless one of the users objects.
        case merge
        /// The account got a passkey at `at`.
        case passkeyAdded = "passkey_added"
        /// The account got a passkey that can be used from `at` on, unless the user objects.
        case passkeyWaits = "passkey_waits"
        /// The account lost a passkey at `at`.
        case passkeyRemoved = "passkey_removed"
        /// A passkey of the account was refused at `at`, since it may have been copied.
        case passkeyCounter = "passkey_counter"
        /// The user was away for long, and the account will be removed at `at` unless they sign in before.
        case inactivity
        /// The operator invites the address; the link sets a password until `at`.
        case invitation
        /// The operator gave an account the address; the link verifies it until `at`.
        case confirmAddress = "confirm_address"

        /// Whether it reaches a user without an email address as a text message.
        package var goesAsText: Bool { isOfChange || self == .inactivity }

        package var isOfPasskey: Bool {
            [.passkeyAdded, .passkeyWaits, .passkeyRemoved, .passkeyCounter].contains(self)
        }

        /// Whether it reports a change or a sign-in, which the user can report by its link as not theirs.
        package var isOfChange: Bool {
            isOfPasskey || [.passwordChanged, .identityChanged, .newDevice, .phoneChange, .merge].contains(self)
        }
    }

    /// A UUID, the same for every attempt.
    package var id: String
    /// An email address, or a phone number in E.164.
    package var to: String
    package var kind: Kind
    /// Unix time in seconds; see `Kind`.
    package var at: Int64
    /// The token of the link; `nil` for kinds without one.
    package var token: String?
    /// The code beside the link; only to confirm a registration and to reset a password.
    package var code: String?
    /// How the link leads back to an app of the dialect `supabase`; `nil` for a link to a page of the gateway.
    package var back: MailReturn?
    /// The languages of the request that caused the mail, best first; `nil` means the deployment's default.
    package var locales: [String]?
    /// When the account is removed, if it is scheduled for deletion; only with `addressKnown`.
    package var deletionAt: Int64?

    package init(
        id: String, to: String, kind: Kind, at: Int64, token: String? = nil, code: String? = nil,
        back: MailReturn? = nil, locales: [String]? = nil, deletionAt: Int64? = nil
    ) {
        (self.code, self.back) = (code, back)
        self.deletionAt = deletionAt
        self.id = id
        self.to = to
        self.kind = kind
        self.at = at
        self.token = token
        self.locales = locales
    }
}
