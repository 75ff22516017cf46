/// Identifies an email address, for the operator.
package struct MailAddressRequest: Codable, Sendable, Equatable {
    package var to: String

    package init(to: String) { self.to = to }
}

/// Requests a test message to an email address, or to a phone number over a channel; answered with `TestMailAnswer`.
package struct TestMessageRequest: Codable, Sendable, Equatable {
    /// An email address, or a phone number with its calling code.
    package var to: String
    /// The channel for a phone number; `nil` means sms.
    package var channel: String?

    package init(to: String, channel: String? = nil) {
        self.to = to
        self.channel = channel
    }
}

/// The result of a test mail, or of another test message.
package struct TestMailAnswer: Codable, Sendable, Equatable {
    /// The provider's id of the mail; `nil` if the provider did not accept it.
    package var id: String?
    /// `inbox`, `resend` or `smtp`; `nil` if the deployment sends no mail.
    package var provider: String?
    /// The reason of the failure, a `DeliveryFailure.Reason`.
    package var failure: String?
    /// The provider's own error code.
    package var code: Int?
    /// The provider's message, or what was missing in its response.
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

/// Whether an address was blocked until the operator cleared it.
package struct ClearedAddress: Codable, Sendable, Equatable {
    package var wasBarred: Bool

    package init(wasBarred: Bool) { self.wasBarred = wasBarred }
}

/// The delivery state of an address, and the account mails that were not sent to it.
package struct MailStanding: Codable, Sendable, Equatable {
    package enum Block: String, Codable, Sendable {
        /// Mail to the address bounced; nothing is sent.
        case undeliverable
        /// The owner marked a mail as spam; only account mails are sent.
        case complained
    }

    /// `nil` if the address is not blocked.
    package var block: Block?
    /// Unix time in seconds at which the block ends.
    package var blockedUntil: Int64?
    /// The number of account mails in the last 30 days that were not sent because of a block.
    package var swallowed: Int
    /// The kind of the last unsent mail, a `MailNotice.Kind`, and its time in Unix seconds.
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
