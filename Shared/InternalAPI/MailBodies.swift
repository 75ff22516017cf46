/// Asks for a sign-in mail.
package struct MailRequest: Codable, Sendable, Equatable {
    /// As the client wrote it; otp-service makes the one spelling of it.
    package var email: String
    /// BASE64URL(SHA-256(verifier)), RFC 7636; without it the mail has a code and no link.
    package var challenge: String?
    package var purpose: Purpose
    /// The languages that the client asks for, best first.
    package var locales: [String]
    /// The client's address, for limits; text form of IPv4 or IPv6.
    package var address: String
    /// Makes a repeat of this very call harmless: neither counted nor sent twice.
    package var callID: String

    package init(
        email: String, challenge: String?, purpose: Purpose, locales: [String], address: String, callID: String
    ) {
        self.email = email
        self.challenge = challenge
        self.purpose = purpose
        self.locales = locales
        self.address = address
        self.callID = callID
    }
}

/// Presents what came by mail: a code with its address, or a link's token with the asker's verifier.
package struct MailVerify: Codable, Sendable, Equatable {
    package var email: String?
    package var code: String?
    package var token: String?
    package var verifier: String?
    package var purpose: Purpose
    package var address: String
    /// As in `MailRequest`.
    package var callID: String

    package init(
        email: String? = nil, code: String? = nil, token: String? = nil, verifier: String? = nil, purpose: Purpose,
        address: String, callID: String
    ) {
        self.email = email
        self.code = code
        self.token = token
        self.verifier = verifier
        self.purpose = purpose
        self.address = address
        self.callID = callID
    }
}

/// A provider's word on what became of a mail, as it came; otp-service judges its signature.
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

/// What came of a `MailWebhook`.
package struct MailWebhookAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case noted
        /// The signature is not the provider's, or too old.
        case forged
        /// No webhook is expected here.
        case off
    }

    package var result: Result

    package init(_ result: Result) { self.result = result }
}

/// A mail that tells somebody of his account; answered with `Done` once it went out, or was of no use.
package struct MailNotice: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable {
        /// The account was given up, and is removed at `at`.
        case accountDeletion = "account_deletion"
        /// Somebody registered with the address; the link confirms it until `at`.
        case confirmRegistration = "confirm_registration"
        /// The same, and the link does so without the password.
        case confirmRegistrationByLink = "confirm_registration_by_link"
        /// Somebody registered with the address, which has an account already.
        case addressKnown = "address_known"
        /// The link sets a new password until `at`.
        case passwordReset = "password_reset"
        /// The account's password was changed or set at `at`.
        case passwordChanged = "password_changed"
        /// The operator lets the address in; the link sets a password until `at`.
        case invitation
    }

    /// A UUID, the same for every try.
    package var id: String
    package var to: String
    package var kind: Kind
    /// Unix time in seconds.
    package var at: Int64
    /// Of the link; nil for kinds without one.
    package var token: String?
    /// The languages that whoever caused it asked for, best first; nil: the deployment's own.
    package var locales: [String]?
    /// When the account is removed, if it waits for its deletion; only with `addressKnown`.
    package var deletionAt: Int64?

    package init(
        id: String, to: String, kind: Kind, at: Int64, token: String? = nil, locales: [String]? = nil,
        deletionAt: Int64? = nil
    ) {
        self.deletionAt = deletionAt
        self.id = id
        self.to = to
        self.kind = kind
        self.at = at
        self.token = token
        self.locales = locales
    }
}

/// Why a notice does not go out now.
package enum NoticeRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    case providerError = "provider_error"

    package var status: Int {
        switch self {
        case .invalidRequest: 400
        case .providerError: 422
        }
    }
}

/// Names an address, for the operator.
package struct MailAddressRequest: Codable, Sendable, Equatable {
    package var to: String

    package init(to: String) { self.to = to }
}

/// Asks for a test message to an address, or to a number by a channel; answered with `TestMailAnswer`.
package struct TestMessageRequest: Codable, Sendable, Equatable {
    /// An e-mail address, or a number with its calling code.
    package var to: String
    /// Of a number; nil: sms.
    package var channel: String?

    package init(to: String, channel: String? = nil) {
        self.to = to
        self.channel = channel
    }
}

/// The result of a test mail, or of another test message.
package struct TestMailAnswer: Codable, Sendable, Equatable {
    /// The provider's id of the mail; nil when it did not take it.
    package var id: String?
    /// `inbox`, `resend` or `smtp`; nil where no mail goes out.
    package var provider: String?
    /// A `DeliveryFailure`.
    package var failure: String?
    /// The provider's own number of the failure.
    package var code: Int?
    /// The provider's words, or what it did not say.
    package var detail: String?

    package init(
        id: String? = nil, provider: String? = nil, failure: String? = nil, code: Int? = nil, detail: String? = nil
    ) {
        self.id = id
        self.provider = provider
        self.failure = failure
        self.code = code
        self.detail = detail
    }
}

/// Whether an address was barred.
package struct ClearedAddress: Codable, Sendable, Equatable {
    package var wasBarred: Bool

    package init(wasBarred: Bool) { self.wasBarred = wasBarred }
}

/// Whether an address gets mail, and which account mails it did not get.
package struct MailStanding: Codable, Sendable, Equatable {
    package enum Block: String, Codable, Sendable {
        /// No mail arrives there; nothing is sent.
        case undeliverable
        /// The owner called a mail spam; only account mails are sent.
        case complained
    }

    /// `nil` for none.
    package var block: Block?
    /// Unix time in seconds at which the block ends.
    package var blockedUntil: Int64?
    /// Account mails of the last 30 days that a block swallowed.
    package var swallowed: Int
    /// The kind of the last of them, a `MailNotice.Kind`, and its time in Unix seconds.
    package var lastKind: String?
    package var lastAt: Int64?

    package init(
        block: Block? = nil, blockedUntil: Int64? = nil, swallowed: Int = 0, lastKind: String? = nil,
        lastAt: Int64? = nil
    ) {
        self.block = block
        self.blockedUntil = blockedUntil
        self.swallowed = swallowed
        self.lastKind = lastKind
        self.lastAt = lastAt
    }
}
