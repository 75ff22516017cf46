/// The texts of mails and pages about accounts with a password, in one language.
///
/// `{app}` and `{time}` represent their values. Text that a client sent is never among them: a person who enters somebody
/// else's email address must not be able to write to its owner.
package struct AccountTexts: TextSection, Equatable {
    /// The texts of a mail with a link.
    package struct LinkLetter: TextSection, Equatable {
        package var subject = "", title = "", body = "", button = "", expiry = "", warning = ""
    }

    /// The texts of a page that requests a password.
    package struct Form: TextSection, Equatable {
        package var title = "", advice = "", password = "", button = "", done = ""
        /// The rules for a new password, with `{length}` characters; `nil` on a page for an existing password.
        package var rules: String?
    }

    /// The messages of a form's page when the form was not accepted.
    package struct Problems: TextSection, Equatable {
        package var invalidLink = "", wrongPassword = "", weakPassword = "", invalidForm = "", tooMany = ""
        package var unavailable = ""
    }

    /// The texts of a page with one button to press, in addition to the title and the last text of `confirmPage`.
    package struct Button: TextSection, Equatable {
        package var advice = "", button = ""
    }

    /// The texts of a registration that its link confirms without the password, as uta's document prints it.
    package struct ByLink: TextSection, Equatable {
        package var letter = LinkLetter()
        /// The page to which the link leads.
        package var page = Button()

        /// Empty texts, which nothing shows.
        package init() {}
    }

    /// The mail about a registration with the email address.
    package var confirm = LinkLetter()
    /// The mail about a registration with an email address that already has an account.
    package var known = MessageTexts.Notice()
    /// The mail that replaces `known` while the account is scheduled for deletion; `nil` if the file has no such texts: then
    /// `known` is sent.
    package var awaitsDeletion: MessageTexts.Notice?
    package var reset = LinkLetter()
    package var changed = MessageTexts.Notice()
    package var invitation = LinkLetter()
    /// The page to which the link of `confirm` leads.
    package var confirmPage = Form()
    /// The page to which the links of `reset` and `invitation` lead.
    package var resetPage = Form()
    package var problems = Problems()
    /// `nil` if the file has no such texts, which is enough if the policy does not have the dialect uta.
    package var byLink: ByLink?

    /// Empty texts, which nothing shows.
    package init() {}
}

extension AccountTexts {
    /// Section `accounts` of a file of `messages/`.
    static let rows: [TextRow<Self>] = [
        .section("confirm", \.confirm, LinkLetter.rows),
        .section("known", \.known, MessageTexts.Notice.rows()),
        .optionalSection("awaitsDeletion", \.awaitsDeletion, MessageTexts.Notice.rows(body: "{date}")),
        .section("reset", \.reset, LinkLetter.rows),
        .section("changed", \.changed, MessageTexts.Notice.rows()),
        .section("invitation", \.invitation, LinkLetter.rows),
        .section("confirmPage", \.confirmPage, Form.rows),
        .section("resetPage", \.resetPage, Form.rows + [.optionalLine("rules", \.rules, with: "{length}")]),
        .section("problems", \.problems, Problems.rows),
        .optionalSection("byLink", \.byLink, ByLink.rows),
    ]
}

extension AccountTexts.LinkLetter {
    static let rows: [TextRow<Self>] = [
        .line("subject", \.subject), .line("title", \.title), .line("body", \.body), .line("button", \.button),
        .line("expiry", \.expiry, with: "{time}"), .line("warning", \.warning),
    ]
}

extension AccountTexts.Form {
    fileprivate static let rows: [TextRow<Self>] = [
        .line("title", \.title), .line("advice", \.advice), .line("password", \.password),
        .line("button", \.button), .line("done", \.done),
    ]
}

extension AccountTexts.Problems {
    fileprivate static let rows: [TextRow<Self>] = [
        .line("invalidLink", \.invalidLink), .line("wrongPassword", \.wrongPassword),
        .line("weakPassword", \.weakPassword), .line("invalidForm", \.invalidForm), .line("tooMany", \.tooMany),
        .line("unavailable", \.unavailable),
    ]
}

extension AccountTexts.ByLink {
    fileprivate static let rows: [TextRow<Self>] = [
        .section("letter", \.letter, AccountTexts.LinkLetter.rows),
        .section("page", \.page, [.line("advice", \.advice), .line("button", \.button)]),
    ]
}
