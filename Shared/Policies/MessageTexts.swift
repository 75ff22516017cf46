/// The texts of mails, and of the page to which their links lead, in one language.
///
/// `{code}`, `{app}`, `{minutes}`, `{date}`, `{time}` and `{scheme}` represent their values. Text that a client sent is never among them.
package struct MessageTexts: Sendable, Equatable {
    /// The direction in which the language is written.
    package enum Direction: String, Sendable, CaseIterable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// The texts of a sign-in mail.
    package struct Letter: Sendable, Equatable {
        package var subject = "{code} is your {app} code"
        package var title = "Sign in to {app}"
        package var code = "Enter this code where you requested it:"
        package var link = "Or open this link on the device where you requested it:"
        package var button = "Sign in"
        package var expiry = "This code and link expire in {minutes} minutes."
        /// The expiry in a mail without a link; `nil` if the file has no such text: then `expiry` is used.
        package var codeExpiry: String? = "This code expires in {minutes} minutes."
        package var warning = "If you didn't request this email, you can ignore it. Never share this code."
    }

    /// The texts of the page to which a link leads.
    package struct Page: Sendable, Equatable {
        package var title = "Sign in to {app}"
        package var advice =
            "Open this link on the device where you requested it, or enter the code from the email there."
        package var button = "Open {app}"
        /// The advice of the page that leads from a sign-in in a browser to an app with a private scheme; `nil` if the file has no
        /// such text, which is enough unless `webRedirects` has an address that is not https.
        package var returnAdvice: String? =
            "Continue only if you have just started to sign in to {app} on this device. The button opens the app that uses "
            + "addresses with {scheme}: and signs you in there."
    }

    /// The texts of a mail that notifies users of an event of their account.
    package struct Notice: Sendable, Equatable {
        package var subject, title, body, warning: String
    }

    package var direction = Direction.leftToRight
    /// The sentence of a text message, with `{code}` once; `nil` if text messages do not have this language.
    package var sms: String? = "{code} is your {app} code. Never share this code."
    package var letter = Letter()
    package var page = Page()
    /// The mail about an account that was scheduled for deletion.
    package var deletion = Notice(
        subject: "Your {app} account will be deleted", title: "Your account will be deleted",
        body: "You asked us to delete your {app} account. It will be deleted on {date}.",
        warning: "If this wasn't you, sign in before that date and contact us.")
    /// `nil` if the file has no texts for accounts with a password, which is enough if the policy has no `passwords`.
    package var accounts: AccountTexts? = AccountTexts()

    /// `nil` if the file has no such texts, which is enough unless the policy has `deletion.page`.
    package var deletionPage: DeletionPageTexts? = DeletionPageTexts()
    /// `nil` if the file has no such texts, which is enough if the policy sends no mail.
    package var address: AddressTexts? = AddressTexts()

    /// English.
    package init() {}
}

extension MessageTexts {
    /// The root of a file of `messages/`; every key is required, so that no language is mixed with another:
    /// - `accounts` section, see `AccountTexts`; may be missing if the policy has no `passwords`
    /// - `deletionPage` section, see `DeletionPageTexts`; may be missing if the policy has no `deletion.page`
    /// - `address` section, see `AddressTexts`; may be missing if the policy sends no mail
    /// - `direction` ltr or rtl
    /// - `sms` text with `{code}` once; needed only for the languages of `messages.smsLocales`
    /// - `letter` section of texts: `subject` (with `{code}`), `title`, `code`, `link`, `button`, `expiry`, `warning`,
    ///   and `codeExpiry` for mails without a link, default as `expiry`
    /// - `page` section of texts: `title`, `advice`, `button`, and `returnAdvice` (with `{scheme}`), needed only if `webRedirects`
    ///   of a policy with `oidc` has an address that is not https
    /// - `deletion` section of texts: `subject`, `title`, `body` (with `{date}`), `warning`
    init(reading root: PolicySection) {
        root.requiredChoice("direction", into: &direction)
        sms = nil
        root.text("sms", .smsSentence, into: &sms)
        root.requiredSection("letter") { section in
            section.requiredText("subject", .line(with: "{code}"), into: &letter.subject)
            section.requiredText("title", .line(), into: &letter.title)
            section.requiredText("code", .line(), into: &letter.code)
            section.requiredText("link", .line(), into: &letter.link)
            section.requiredText("button", .line(), into: &letter.button)
            section.requiredText("expiry", .line(), into: &letter.expiry)
            letter.codeExpiry = nil
            section.text("codeExpiry", .line(), into: &letter.codeExpiry)
            section.requiredText("warning", .line(), into: &letter.warning)
        }
        root.requiredSection("page") { section in
            section.requiredText("title", .line(), into: &page.title)
            section.requiredText("advice", .line(), into: &page.advice)
            section.requiredText("button", .line(), into: &page.button)
            page.returnAdvice = nil
            section.text("returnAdvice", .line(with: "{scheme}"), into: &page.returnAdvice)
        }
        root.requiredSection("deletion") { deletion.read($0, body: "{date}") }
        accounts = nil
        root.section("accounts") { accounts = AccountTexts(reading: $0) }
        deletionPage = nil
        root.section("deletionPage") { deletionPage = DeletionPageTexts(reading: $0) }
        address = nil
        root.section("address") { address = AddressTexts(reading: $0) }
    }
}

extension MessageTexts.Notice {
    /// - Parameter placeholder: The placeholder that the body must contain, or `nil` if there is none.
    mutating func read(_ section: PolicySection, body placeholder: String? = nil) {
        section.requiredText("subject", .line(), into: &subject)
        section.requiredText("title", .line(), into: &title)
        section.requiredText("body", .line(with: placeholder), into: &body)
        section.requiredText("warning", .line(), into: &warning)
    }
}

extension ValueRule where Value == String {
    static var smsSentence: TextRule {
        TextRule("1 to 150 characters on one line with {code} once") { text in
            (1...150).contains(text.unicodeScalars.count) && OTPPolicy.parts(of: text).count == 2
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    /// A line of a message.
    static func line(with placeholder: String? = nil) -> TextRule {
        let words = "1 to 300 characters on one line" + (placeholder.map { " with \($0)" } ?? "")
        return TextRule(words) { text in
            (1...300).contains(text.unicodeScalars.count)
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                && placeholder.map { text.contains($0) } ?? true
        }
    }
}
