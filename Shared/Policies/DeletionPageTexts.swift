/// The texts of the page on which people delete their account, and of the code that it sends, in one language.
///
/// `{app}`, `{code}`, `{minutes}` and `{date}` represent their values. Text that a client sent is never among them.
package struct DeletionPageTexts: Sendable, Equatable {
    /// The reasons why the page did not delete the account.
    package struct Problems: Sendable, Equatable {
        package var invalidRecipient = "Enter a phone number with its country code, or an email address."
        package var wrongCode = "This code is wrong or has expired."
        package var notSent = "We couldn't send a code there. Try again later."
        package var inactive = "This account has been deactivated. Please contact us."
        package var invalidForm = "Something went wrong with this form. Please start again."
        package var tooMany = "Too many attempts. Wait a while, then try again."
        package var unavailable = "This isn't working right now. Try again in a moment."
    }

    package var title = "Delete your {app} account"
    package var advice =
        "Enter the phone number, with its country code, or the email address of your account. We will send a "
        + "code there. Nothing is deleted until you enter it."
    package var recipient = "Phone number or email address"
    package var send = "Send code"
    package var sent = "A code is on its way. Enter it to delete your account."
    package var code = "Code"
    package var button = "Delete my account"
    package var done = "Your account will be deleted on {date}. You have been signed out on all devices."
    package var missing = "No account uses this phone number or email address."
    package var problems = Problems()
    /// The text message, with `{code}` once.
    package var sms = "{code} is the code to delete your {app} account. Never share this code."
    /// The mail, which has no link.
    package var letter = MessageTexts.Letter(
        subject: "{code} is the code to delete your {app} account", title: "Delete your {app} account?",
        code: "To delete your account, enter this code on the page where you requested it:", link: "", button: "",
        expiry: "This code expires in {minutes} minutes.", codeExpiry: nil,
        warning: "If you didn't request this email, ignore it. Never share this code: it deletes your account.")

    /// English.
    package init() {}
}

extension DeletionPageTexts {
    /// Section `deletionPage` of a file of `messages/`; needed if the policy has `deletion.page`. Every key is required:
    /// - `title`, `advice`, `recipient`, `send`, `sent`, `code`, `button`, `done` (with `{date}`), `missing` texts
    /// - `sms` text with `{code}` once
    /// - `letter` section of texts: `subject` (with `{code}`), `title`, `code`, `expiry`, `warning`
    /// - `problems` section of texts: `invalidRecipient`, `wrongCode`, `notSent`, `inactive`, `invalidForm`, `tooMany`,
    ///   `unavailable`
    init(reading section: PolicySection) {
        self.init()
        section.requiredText("title", .line(), into: &title)
        section.requiredText("advice", .line(), into: &advice)
        section.requiredText("recipient", .line(), into: &recipient)
        section.requiredText("send", .line(), into: &send)
        section.requiredText("sent", .line(), into: &sent)
        section.requiredText("code", .line(), into: &code)
        section.requiredText("button", .line(), into: &button)
        section.requiredText("done", .line(with: "{date}"), into: &done)
        section.requiredText("missing", .line(), into: &missing)
        section.requiredText("sms", .smsSentence, into: &sms)
        section.requiredSection("letter") { letter in
            letter.requiredText("subject", .line(with: "{code}"), into: &self.letter.subject)
            letter.requiredText("title", .line(), into: &self.letter.title)
            letter.requiredText("code", .line(), into: &self.letter.code)
            letter.requiredText("expiry", .line(), into: &self.letter.expiry)
            letter.requiredText("warning", .line(), into: &self.letter.warning)
        }
        section.requiredSection("problems") { problems.read($0) }
    }
}

extension DeletionPageTexts.Problems {
    fileprivate mutating func read(_ section: PolicySection) {
        section.requiredText("invalidRecipient", .line(), into: &invalidRecipient)
        section.requiredText("wrongCode", .line(), into: &wrongCode)
        section.requiredText("notSent", .line(), into: &notSent)
        section.requiredText("inactive", .line(), into: &inactive)
        section.requiredText("invalidForm", .line(), into: &invalidForm)
        section.requiredText("tooMany", .line(), into: &tooMany)
        section.requiredText("unavailable", .line(), into: &unavailable)
    }
}
