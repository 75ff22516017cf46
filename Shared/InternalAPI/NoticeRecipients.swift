/// Email addresses and phone numbers of a user: requests which of them a notice reaches, and is answered with those.
package struct NoticeRecipients: Codable, Sendable, Equatable {
    package var to: [String]

    package init(to: [String]) { self.to = to }
}
