/// What messages to people carry beside their text.
package struct MessagePolicy: Sendable, Equatable {
    /// The domain that a code is bound to (`@domain #code` as the message's last line); nil: no such line.
    package var appDomain: String?

    package init() {}
}

extension MessagePolicy {
    /// Section `messages`:
    /// - `appDomain` domain name in lower case, default none
    init(reading section: PolicySection) {
        section.text("appDomain", .domain, into: &appDomain)
    }
}
