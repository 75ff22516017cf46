/// Requests the page of a notice's link, by which a user reports that a change was not theirs. Nothing changes.
package struct NotMeFormRequest: Codable, Sendable, Equatable {
    package var token: String

    package init(token: String) { self.token = token }
}

/// The form of the page.
package struct NotMeForm: Codable, Sendable, Equatable {
    /// The secret of the page's form; `nil` if the link is unknown, used, expired or for something else.
    package var secret: String?

    package init(secret: String?) { self.secret = secret }
}

/// Reports that the change of a notice was not the user's; answered with an `AccountAnswer`.
package struct NotMeReport: Codable, Sendable, Equatable {
    package var token: String
    /// The secret of the page's form.
    package var formSecret: String

    package init(token: String, formSecret: String) {
        self.token = token
        self.formSecret = formSecret
    }
}
