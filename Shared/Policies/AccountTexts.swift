/// The texts of mails and pages about accounts with a password, in one language.
///
/// `{app}` and `{time}` represent their values. Text that a client sent is never among them: a person who enters somebody
/// else's email address must not be able to write to its owner.
package struct AccountTexts: Sendable, Equatable {
    /// The texts of a mail with a link.
    package struct LinkLetter: Sendable, Equatable {
        package var subject, title, body, button, expiry, warning: String
    }

    /// The texts of a page that requests a password.
    package struct Form: Sendable, Equatable {
        package var title, advice, password: String
        /// The rules for a new password, with `{length}` characters; `nil` on a page for an existing password.
        package var rules: String?
        package var button, done: String
    }

    /// The messages of a form's page when the form was not accepted.
    package struct Problems: Sendable, Equatable {
        package var invalidLink = "This link has expired or was already used. Request a new one in the app."
        package var wrongPassword = "This isn't the password that was chosen at registration."
        package var weakPassword = "This password is too short or too common. Choose another one."
        package var invalidForm = "Something went wrong with this form. Open the link in the email again."
        package var tooMany = "Too many attempts. Wait a while, then try again."
        package var unavailable = "This isn't working right now. Try again in a moment."
    }

    /// The mail about a registration with the email address.
    package var confirm = LinkLetter(
        subject: "Confirm your {app} account", title: "Confirm your registration",
        body:
            "Someone registered for {app} with this email address. If it was you, open the link and enter the "
            + "password you chose. This creates your account and confirms your email address.",
        button: "Confirm registration", expiry: "This link expires on {time}.",
        warning: "If it wasn't you, ignore this email. No account is created unless you open the link.")
    /// The mail about a registration with an email address that already has an account.
    package var known = MessageTexts.Notice(
        subject: "You already have a {app} account", title: "You already have an account",
        body:
            "Someone tried to register for {app} with this email address, but it already has an account. Nothing "
            + "has changed.",
        warning: "If it was you, sign in, or request a new password in the app. If not, ignore this email.")
    /// The mail that replaces `known` while the account is scheduled for deletion; `nil` if the file has no such texts: then
    /// `known` is sent.
    package var awaitsDeletion: MessageTexts.Notice? = MessageTexts.Notice(
        subject: "Your {app} account is scheduled for deletion", title: "Your account is scheduled for deletion",
        body:
            "Someone tried to register for {app} with this email address. Its account is scheduled for deletion "
            + "on {date}. Nothing has changed.",
        warning:
            "If it was you, sign in before that date to keep the account, or register again afterwards. If not, "
            + "ignore this email.")
    package var reset = LinkLetter(
        subject: "Set a new {app} password", title: "Set a new password",
        body:
            "Someone requested a new password for your {app} account. Open the link to set one. You will then be "
            + "signed out on all devices.",
        button: "Set a new password", expiry: "This link expires on {time}.",
        warning: "If it wasn't you, ignore this email. Your password stays the same.")
    package var changed = MessageTexts.Notice(
        subject: "Your {app} password was changed", title: "Your password was changed",
        body: "The password of your {app} account was changed on {time}.",
        warning: "If it wasn't you, request a new password in the app now, and contact us.")
    package var invitation = LinkLetter(
        subject: "You are invited to {app}", title: "You are invited to {app}",
        body: "You can have an account for {app} with this email address. Open the link to set its password.",
        button: "Set password", expiry: "This link expires on {time}.",
        warning: "If you don't want an account, ignore this email.")
    /// The page to which the link of `confirm` leads.
    package var confirmPage = Form(
        title: "Confirm your {app} account",
        advice: "Enter the password you chose when you registered. If you didn't register, close this page.",
        password: "Password", button: "Confirm", done: "Your account is confirmed. You can now sign in to {app}.")
    /// The page to which the links of `reset` and `invitation` lead.
    package var resetPage = Form(
        title: "Set your {app} password", advice: "Choose a new password for {app}.",
        password: "New password", rules: "At least {length} characters. Common passwords are not accepted.",
        button: "Set password",
        done: "Your password is set. You can now sign in to {app} with it.")
    package var problems = Problems()
    /// `nil` if the file has no such texts, which is enough if the policy does not have the dialect uta.
    package var byLink: ByLink? = ByLink()

    /// English.
    package init() {}
}

extension AccountTexts {
    /// Section `accounts` of a file of `messages/`; every key but `byLink` and `awaitsDeletion` is required:
    /// - `confirm`, `reset`, `invitation` sections of texts: `subject`, `title`, `body`, `button`, `expiry` (with `{time}`),
    ///   `warning`
    /// - `known`, `changed`, `awaitsDeletion` (its body with `{date}`) sections of texts: `subject`, `title`, `body`, `warning`
    /// - `confirmPage`, `resetPage` sections of texts: `title`, `advice`, `password`, `button`, `done`, and for `resetPage` also
    ///   `rules` (with `{length}`), default none
    /// - `problems` section of texts: `invalidLink`, `wrongPassword`, `weakPassword`, `invalidForm`, `tooMany`, `unavailable`
    /// - `byLink` section, see `ByLink`, needed if the policy has the dialect uta
    init(reading section: PolicySection) {
        self.init()
        section.requiredSection("confirm") { confirm.read($0) }
        section.requiredSection("known") { known.read($0) }
        var awaitsDeletion = awaitsDeletion
        self.awaitsDeletion = nil
        section.section("awaitsDeletion") {
            awaitsDeletion?.read($0, body: "{date}")
            self.awaitsDeletion = awaitsDeletion
        }
        section.requiredSection("reset") { reset.read($0) }
        section.requiredSection("changed") { changed.read($0) }
        section.requiredSection("invitation") { invitation.read($0) }
        section.requiredSection("confirmPage") { confirmPage.read($0) }
        resetPage.rules = nil
        section.requiredSection("resetPage") {
            resetPage.read($0)
            $0.text("rules", .line(with: "{length}"), into: &resetPage.rules)
        }
        section.requiredSection("problems") { problems.read($0) }
        byLink = nil
        section.section("byLink") { byLink = ByLink(reading: $0) }
    }
}

extension AccountTexts.LinkLetter {
    mutating func read(_ section: PolicySection) {
        section.requiredText("subject", .line(), into: &subject)
        section.requiredText("title", .line(), into: &title)
        section.requiredText("body", .line(), into: &body)
        section.requiredText("button", .line(), into: &button)
        section.requiredText("expiry", .line(with: "{time}"), into: &expiry)
        section.requiredText("warning", .line(), into: &warning)
    }
}

extension AccountTexts.Form {
    fileprivate mutating func read(_ section: PolicySection) {
        section.requiredText("title", .line(), into: &title)
        section.requiredText("advice", .line(), into: &advice)
        section.requiredText("password", .line(), into: &password)
        section.requiredText("button", .line(), into: &button)
        section.requiredText("done", .line(), into: &done)
    }
}

extension AccountTexts.Problems {
    fileprivate mutating func read(_ section: PolicySection) {
        section.requiredText("invalidLink", .line(), into: &invalidLink)
        section.requiredText("wrongPassword", .line(), into: &wrongPassword)
        section.requiredText("weakPassword", .line(), into: &weakPassword)
        section.requiredText("invalidForm", .line(), into: &invalidForm)
        section.requiredText("tooMany", .line(), into: &tooMany)
        section.requiredText("unavailable", .line(), into: &unavailable)
    }
}
