/// What mails and pages about accounts with a password say in one language.
///
/// `{app}` and `{time}` stand for their values; nothing that a client sent is ever among them: whoever types somebody else's
/// address must not be able to write to him.
package struct AccountTexts: Sendable, Equatable {
    /// Of a mail with a link.
    package struct LinkLetter: Sendable, Equatable {
        package var subject, title, body, button, expiry, warning: String
    }

    /// Of a page that asks for a password.
    package struct Form: Sendable, Equatable {
        package var title, advice, password, button, done: String
    }

    /// What a form's page says when nothing came of it.
    package struct Problems: Sendable, Equatable {
        package var invalidLink = "This link is used or too old. Ask for another one in the app."
        package var wrongPassword = "This is not the password that was chosen at the registration."
        package var weakPassword = "This password is too short or too common. Choose another one."
        package var invalidForm = "The form was not filled in as expected. Open the link from the mail again."
        package var tooMany = "There were too many attempts. Wait a while, then try again."
        package var unavailable = "This does not work just now. Try again in a moment."
    }

    /// That somebody has registered with the address.
    package var confirm = LinkLetter(
        subject: "Confirm your {app} account", title: "Is this your registration?",
        body:
            "Somebody registered at {app} with this address. If that was you, open the link and type the password that "
            + "you chose: this creates your account and confirms the address.",
        button: "Confirm the registration", expiry: "The link holds until {time}.",
        warning: "If that was not you, ignore this mail: without the link nothing is created.")
    /// That somebody has registered with an address that has an account.
    package var known = MessageTexts.Notice(
        subject: "You already have a {app} account", title: "You already have an account",
        body:
            "Somebody tried to register at {app} with this address, which has an account already. Nothing was changed.",
        warning: "If that was you, sign in, or ask for a new password in the app. If not, ignore this mail.")
    /// The same where the account waits for its deletion; `nil` if the file does not have it: then `known` is sent.
    package var awaitsDeletion: MessageTexts.Notice? = MessageTexts.Notice(
        subject: "Your {app} account waits for deletion", title: "Your account waits for deletion",
        body:
            "Somebody tried to register at {app} with this address. Its account waits for deletion and will be gone on "
            + "{date}. Nothing was changed.",
        warning: "If that was you, sign in before then to keep the account, or register again after that day. If not, "
            + "ignore this mail.")
    package var reset = LinkLetter(
        subject: "Set a new {app} password", title: "Set a new password",
        body:
            "Somebody asked for a new password for your {app} account. With the link you set it; you are then signed out "
            + "everywhere.",
        button: "Set a new password", expiry: "The link holds until {time}.",
        warning: "If that was not you, ignore this mail: your password stays as it is.")
    package var changed = MessageTexts.Notice(
        subject: "Your {app} password was changed", title: "Your password was changed",
        body: "The password of your {app} account was changed at {time}.",
        warning: "If that was not you, ask for a new password in the app at once, and tell us.")
    package var invitation = LinkLetter(
        subject: "You are invited to {app}", title: "You are invited to {app}",
        body: "You can have an account at {app} with this address. With the link you set its password.",
        button: "Set a password", expiry: "The link holds until {time}.",
        warning: "If you do not want an account, ignore this mail.")
    /// Behind the link of `confirm`.
    package var confirmPage = Form(
        title: "Confirm your {app} account",
        advice: "Type the password that you chose when you registered. If you did not register, close this page.",
        password: "Password", button: "Confirm", done: "Your account is confirmed. You can sign in to {app} now.")
    /// Behind the links of `reset` and `invitation`.
    package var resetPage = Form(
        title: "Set your {app} password", advice: "Choose the password with which you sign in to {app} from now on.",
        password: "New password", button: "Set the password",
        done: "Your password is set. You can sign in to {app} with it now.")
    package var problems = Problems()
    /// Nil: the file says nothing of them, which will do where the policy does not speak uta.
    package var byLink: ByLink? = ByLink()

    /// English.
    package init() {}
}

extension AccountTexts {
    /// Section `accounts` of a file of `messages/`; every key but `byLink` and `awaitsDeletion` is required:
    /// - `confirm`, `reset`, `invitation` sections of texts: `subject`, `title`, `body`, `button`, `expiry` (with `{time}`),
    ///   `warning`
    /// - `known`, `changed`, `awaitsDeletion` (its body with `{date}`) sections of texts: `subject`, `title`, `body`, `warning`
    /// - `confirmPage`, `resetPage` sections of texts: `title`, `advice`, `password`, `button`, `done`
    /// - `problems` section of texts: `invalidLink`, `wrongPassword`, `weakPassword`, `invalidForm`, `tooMany`, `unavailable`
    /// - `byLink` section, see `ByLink`, needed where the policy speaks uta
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
        section.requiredSection("resetPage") { resetPage.read($0) }
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
