/// The link of a notice by which users report that a change was not theirs, and its page, in one language. `{app}` and `{link}`
/// represent their values.
package struct NotMeTexts: TextSection, Equatable {
    /// The text messages to users without an email address: about a change, about a new device, and about a phone number that support
    /// changes or accounts that are merged later.
    package var sms = "", newDeviceSMS = "", phoneChangeSMS = "", mergeSMS = ""
    /// The mail's button.
    package var button = ""
    /// The sentence below the button.
    package var expiry = ""
    /// The texts of the page to which the link leads.
    package var page = ButtonPageTexts()

    /// Empty texts, which nothing shows.
    package init() {}
}

extension NotMeTexts {
    /// Section `notMe` of a file of `messages/`.
    static let rows: [TextRow<Self>] = [
        .line("sms", \.sms, with: "{link}"), .line("newDeviceSMS", \.newDeviceSMS, with: "{link}"),
        .line("phoneChangeSMS", \.phoneChangeSMS, with: "{link}"),
        .line("mergeSMS", \.mergeSMS, with: "{link}"), .line("button", \.button), .line("expiry", \.expiry),
        .section("page", \.page, ButtonPageTexts.rows),
    ]
}
