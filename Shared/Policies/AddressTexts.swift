/// The texts of the mail and the page by which the owner of an email address that the operator gave an account verifies it, in one
/// language. `{app}` and `{time}` represent their values.
package struct AddressTexts: TextSection, Equatable {
    /// The texts of the page to which the link leads.
    package struct Page: TextSection, Equatable {
        package var title = "", advice = "", button = "", done = "", invalidLink = "", unavailable = ""
    }

    package var letter = AccountTexts.LinkLetter()
    package var page = Page()

    /// Empty texts, which nothing shows.
    package init() {}
}

extension AddressTexts {
    /// Section `address` of a file of `messages/`.
    static let rows: [TextRow<Self>] = [
        .section("letter", \.letter, AccountTexts.LinkLetter.rows),
        .section("page", \.page, Page.rows),
    ]
}

extension AddressTexts.Page {
    fileprivate static let rows: [TextRow<Self>] = [
        .line("title", \.title), .line("advice", \.advice), .line("button", \.button), .line("done", \.done),
        .line("invalidLink", \.invalidLink), .line("unavailable", \.unavailable),
    ]
}
