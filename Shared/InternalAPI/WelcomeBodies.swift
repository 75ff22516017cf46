/// Whether the person who requests a code is a user or may become one.
package struct WelcomeRequest: Codable, Sendable, Equatable {
    /// The phone number as the client wrote it; with `usersOnly` also an email address.
    package var phone: String
    package var region: String?
    /// The dialect whose region applies if the client names none; `nil` means native.
    package var dialect: String?
    /// Whether only users are welcome; `nil` means not.
    package var usersOnly: Bool?

    package init(phone: String, region: String? = nil, dialect: String? = nil, usersOnly: Bool? = nil) {
        self.usersOnly = usersOnly
        self.phone = phone
        self.region = region
        self.dialect = dialect
    }
}

package struct WelcomeAnswer: Codable, Sendable, Equatable {
    package var isWelcome: Bool

    package init(isWelcome: Bool) { self.isWelcome = isWelcome }
}
