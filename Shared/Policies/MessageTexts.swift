/// The texts of mails, and of the page to which their links lead, in one language.
///
/// `{code}`, `{app}`, `{minutes}`, `{date}`, `{time}` and `{scheme}` represent their values. Text that a client sent is never among them.
package struct MessageTexts: TextSection, Equatable {
    /// The direction in which the language is written.
    package enum Direction: String, Sendable, CaseIterable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// The texts of a sign-in mail.
    package struct Letter: TextSection, Equatable {
        package var subject = "", title = "", code = "", link = "", button = "", expiry = "", warning = ""
        /// The expiry in a mail without a link; `nil` if the file has no such text: then `expiry` is used.
        package var codeExpiry: String?
    }

    /// The texts of the page to which a link leads.
    package struct Page: TextSection, Equatable {
        package var title = "", advice = "", button = ""
        /// The advice of the page that leads from a sign-in in a browser to an app with a private scheme; `nil` if the file has no
        /// such text, which is enough unless `webRedirects` has an address that is not https.
        package var returnAdvice: String?
    }

    /// The texts of a mail that notifies users of an event of their account.
    package struct Notice: TextSection, Equatable {
        package var subject = "", title = "", body = "", warning = ""
    }

    package var direction = Direction.leftToRight
    /// The sentence of a text message, with `{code}` once; `nil` if text messages do not have this language.
    package var sms: String?
    package var letter = Letter()
    package var page = Page()
    /// The mail about an account that was scheduled for deletion.
    package var deletion = Notice()
    /// The messages with a code that shows again who the signed-in user is.
    package var reauthentication = CodeTexts()
    /// The messages with a code that adds a phone number or an email address to the signed-in user's account.
    package var identity = CodeTexts()
    /// The mail about an identity that was added, replaced or removed.
    package var identityChanged = Notice()
    /// The mail about a sign-in from an unknown device in an unknown network.
    package var newDevice = Notice()
    /// The mail about a phone number that support changes later.
    package var phoneChange = Notice()
    /// The mail about a merge of two accounts that happens later.
    package var merge = Notice()
    /// The notice that the account of a user who was away for long will be removed, and its text message.
    package var inactivity = Notice()
    package var inactivitySMS = ""
    /// The link of the mails about a changed identity or password.
    package var notMe = NotMeTexts()
    /// `nil` if the file has no texts about passkeys: the notices about a changed identity serve then.
    package var passkeys: PasskeyTexts?
    /// `nil` if the file has no texts for accounts with a password, which is enough if the policy has no `passwords`.
    package var accounts: AccountTexts?
    /// `nil` if the file has no such texts, which is enough unless the policy has `deletion.page`.
    package var deletionPage: DeletionPageTexts?
    /// `nil` if the file has no such texts, which is enough if the policy sends no mail.
    package var address: AddressTexts?

    /// Empty texts, which nothing shows.
    package init() {}
}

extension MessageTexts {
    /// The root of a file of `messages/`. Every key without an exception here is required, so that no
    /// language is mixed with another: `sms` is needed only for the languages of `messages.smsLocales`, `accounts` only with
    /// `passwords`, `deletionPage` only with `deletion.page`, and `address` only if the policy sends mail.
    private static let rows: [TextRow<Self>] = [
        Key("direction", \.direction, .choice, "", required: true),
        .optionalSMS("sms", \.sms),
        .section("letter", \.letter, Letter.rows),
        .section("page", \.page, Page.rows),
        .section("deletion", \.deletion, Notice.rows(body: "{date}")),
        .section("reauthentication", \.reauthentication, CodeTexts.rows),
        .section("identity", \.identity, CodeTexts.rows),
        .section("identityChanged", \.identityChanged, Notice.rows(body: "{time}")),
        .section("newDevice", \.newDevice, Notice.rows(body: "{time}")),
        .section("phoneChange", \.phoneChange, Notice.rows(body: "{time}")),
        .section("merge", \.merge, Notice.rows(body: "{time}")),
        .section("inactivity", \.inactivity, Notice.rows(body: "{date}")),
        .line("inactivitySMS", \.inactivitySMS, with: "{date}"),
        .section("notMe", \.notMe, NotMeTexts.rows),
        .optionalSection("passkeys", \.passkeys, PasskeyTexts.rows),
        .optionalSection("accounts", \.accounts, AccountTexts.rows),
        .optionalSection("deletionPage", \.deletionPage, DeletionPageTexts.rows),
        .optionalSection("address", \.address, AddressTexts.rows),
    ]

    init(reading root: PolicySection) { Self.rows.read(root, into: &self) }
}

/// The mails about passkeys, in one language.
package struct PasskeyTexts: TextSection, Equatable {
    package var added = MessageTexts.Notice()
    /// About a passkey that can be used from `{time}` on.
    package var waits = MessageTexts.Notice()
    package var removed = MessageTexts.Notice()
    /// About a passkey that was refused because it may have been copied.
    package var counter = MessageTexts.Notice()

    /// Empty texts, which nothing shows.
    package init() {}

    fileprivate static let rows: [TextRow<Self>] = [
        .section("added", \.added, MessageTexts.Notice.rows(body: "{time}")),
        .section("waits", \.waits, MessageTexts.Notice.rows(body: "{time}")),
        .section("removed", \.removed, MessageTexts.Notice.rows(body: "{time}")),
        .section("counter", \.counter, MessageTexts.Notice.rows(body: "{time}")),
    ]
}

/// The messages with a code for a purpose other than sign-in, in one language.
package struct CodeTexts: TextSection, Equatable {
    /// The text message, with `{code}` once.
    package var sms = ""
    /// The mail, which has no link.
    package var letter = MessageTexts.Letter()

    /// Empty texts, which nothing shows.
    package init() {}

    fileprivate static let rows: [TextRow<Self>] = [
        .sms("sms", \.sms), .section("letter", \.letter, MessageTexts.Letter.mail),
    ]
}

extension MessageTexts.Letter {
    fileprivate static let rows: [TextRow<Self>] =
        mail + [.line("link", \.link), .line("button", \.button), .optionalLine("codeExpiry", \.codeExpiry)]

    /// The rows of a mail without a link.
    static let mail: [TextRow<Self>] = [
        .line("subject", \.subject, with: "{code}"), .line("title", \.title), .line("code", \.code),
        .line("expiry", \.expiry), .line("warning", \.warning),
    ]
}

extension MessageTexts.Page {
    fileprivate static let rows: [TextRow<Self>] = [
        .line("title", \.title), .line("advice", \.advice), .line("button", \.button),
        .optionalLine("returnAdvice", \.returnAdvice, with: "{scheme}"),
    ]
}

extension MessageTexts.Notice {
    /// - Parameter placeholder: The placeholder that the body must contain, or `nil` if there is none.
    static func rows(body placeholder: String? = nil) -> [TextRow<Self>] {
        [
            .line("subject", \.subject), .line("title", \.title), .line("body", \.body, with: placeholder),
            .line("warning", \.warning),
        ]
    }
}
