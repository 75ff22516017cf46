/// Email addresses and phone numbers of a user: requests which of them a notice reaches, and is answered with those.
package struct NoticeRecipients: Codable, Sendable, Equatable {
    package var to: [String]

    package init(to: [String]) { self.to = to }
}

/// Why a notice is not sent now.
package enum NoticeRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    case providerError = "provider_error"
    /// The recipient gets no such message, and no later try would help.
    case notSent = "not_sent"
}

extension MailNotice {
    /// The response if the recipient does not get the notice, and no later try would help: a success, unless more depends on it.
    package var unsent: OperationOutcome<Done, NoticeRefusal> {
        kind == .inactivity ? .refused(.notSent) : .answer(Done())
    }
}
