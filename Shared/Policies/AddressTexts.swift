/// The texts of the mail and the page by which the owner of an email address that the operator gave an account verifies it, in one
/// language. `{app}` and `{time}` represent their values.
package struct AddressTexts: TextSection, Equatable {
    package var letter = AccountTexts.LinkLetter()
    /// The texts of the page to which the link leads.
    package var page = ButtonPageTexts()

    /// Empty texts, which nothing shows.
    package init() {}
}

extension AddressTexts {
    /// Section `address` of a file of `messages/`.
    static let rows: [TextRow<Self>] = [
        .section("letter", \.letter, AccountTexts.LinkLetter.rows),
        .section("page", \.page, ButtonPageTexts.rows),
    ]
}
