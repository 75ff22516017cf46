/// The texts of the page on which people delete their account, and of the code that it sends, in one language.
///
/// `{app}`, `{code}`, `{minutes}` and `{date}` represent their values. Text that a client sent is never among them.
package struct DeletionPageTexts: TextSection, Equatable {
    /// The reasons why the page did not delete the account.
    package struct Problems: TextSection, Equatable {
        package var invalidRecipient = "", wrongCode = "", notSent = "", inactive = "", invalidForm = "", tooMany = ""
        package var unavailable = ""
    }

    package var title = "", advice = "", recipient = "", send = "", sent = "", code = "", button = "", done = ""
    package var missing = ""
    package var problems = Problems()
    /// The messages with the code.
    package var codes = CodeTexts()

    /// Empty texts, which nothing shows.
    package init() {}
}

extension DeletionPageTexts {
    /// Section `deletionPage` of a file of `messages/`.
    static let rows: [TextRow<Self>] = [
        .line("title", \.title), .line("advice", \.advice), .line("recipient", \.recipient), .line("send", \.send),
        .line("sent", \.sent), .line("code", \.code), .line("button", \.button),
        .line("done", \.done, with: "{date}"), .line("missing", \.missing), .sms("sms", \.codes.sms),
        .section("letter", \.codes.letter, MessageTexts.Letter.mail),
        .section("problems", \.problems, Problems.rows),
    ]
}

extension DeletionPageTexts.Problems {
    fileprivate static let rows: [TextRow<Self>] = [
        .line("invalidRecipient", \.invalidRecipient), .line("wrongCode", \.wrongCode), .line("notSent", \.notSent),
        .line("inactive", \.inactive), .line("invalidForm", \.invalidForm), .line("tooMany", \.tooMany),
        .line("unavailable", \.unavailable),
    ]
}
