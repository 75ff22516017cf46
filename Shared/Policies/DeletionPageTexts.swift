/// The texts of the page on which people delete their account, and of the code that it sends, in one language.
///
/// `{app}`, `{code}`, `{minutes}` and `{date}` stand for their values; nothing that a client sent is ever among them.
package struct DeletionPageTexts: Sendable, Equatable {
    /// The reasons why the page did not do it.
    package struct Problems: Sendable, Equatable {
        package var invalidRecipient = "This is not a phone number or email address that we can send a code to."
        package var wrongCode = "This code is wrong or too old."
        package var notSent = "The code could not be sent there. Try again later."
        package var inactive = "This account is deactivated. Please write to us."
        package var invalidForm = "The form was not filled in as expected. Please start again."
        package var tooMany = "There were too many attempts. Wait a while, then try again."
        package var unavailable = "This does not work just now. Try again in a moment."
    }

    package var title = "Delete your {app} account"
    package var advice =
        "Enter the phone number, with its country code, or the email address of your account. We send a code there; nothing "
        + "is deleted before you enter it."
    package var recipient = "Phone number or email address"
    package var send = "Send the code"
    package var sent = "A code is on its way. Enter it to delete your account."
    package var code = "Code"
    package var button = "Delete my account"
    package var done = "Your account will be deleted on {date}, and you are signed out everywhere."
    package var missing = "There is no account with this phone number or email address."
    package var problems = Problems()
    /// The text message; with `{code}` once.
    package var sms = "{code} is the code that deletes your {app} account. Tell it to nobody."
    /// The mail; without a link.
    package var letter = MessageTexts.Letter(
        subject: "{code} is the code that deletes your {app} account", title: "Delete your {app} account?",
        code: "Enter this code on the page where you asked for it, to delete your account:", link: "", button: "",
        expiry: "The code holds for {minutes} minutes.",
        warning: "If you did not ask for this mail, ignore it, and tell the code to nobody: it deletes your account.")

    /// English.
    package init() {}
}

extension DeletionPageTexts {
    /// Section `deletionPage` of a file of `messages/`; needed where the policy has `deletion.page`. Every key is required:
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
