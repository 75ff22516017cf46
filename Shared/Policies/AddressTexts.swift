/// The texts of the mail and the page by which the owner of an email address that the operator gave an account verifies it, in one
/// language. `{app}` and `{time}` represent their values.
package struct AddressTexts: Sendable, Equatable {
    /// The texts of the page to which the link leads.
    package struct Page: Sendable, Equatable {
        package var title = "Confirm your email address for {app}"
        package var advice =
            "Support has entered this email address for a {app} account. The button confirms that the account and this address "
            + "are yours: the address can then sign in to the account. If you did not ask for this, close this page."
        package var button = "Confirm this address"
        package var done = "Your email address is confirmed. You can now use it with {app}."
        package var invalidLink = "This link has expired or was already used. Ask support for a new one."
        package var unavailable = "This isn't working right now. Try again in a moment."
    }

    package var letter = AccountTexts.LinkLetter(
        subject: "Confirm your email address for {app}", title: "Confirm your email address",
        body:
            "Support has entered this email address for your {app} account. If you asked for this, open the link and confirm "
            + "that the address is yours.",
        button: "Confirm this address", expiry: "This link expires on {time}.",
        warning: "If you did not ask for this, ignore this email. Without the link, nothing changes.")
    package var page = Page()

    /// English.
    package init() {}
}

extension AddressTexts {
    /// Section `address` of a file of `messages/`; needed if the policy sends mail. Every key is required:
    /// - `letter` section as `accounts.confirm`
    /// - `page` section of texts: `title`, `advice`, `button`, `done`, `invalidLink`, `unavailable`
    init(reading section: PolicySection) {
        self.init()
        section.requiredSection("letter") { letter.read($0) }
        section.requiredSection("page") { page.read($0) }
    }
}

extension AddressTexts.Page {
    fileprivate mutating func read(_ section: PolicySection) {
        section.requiredText("title", .line(), into: &title)
        section.requiredText("advice", .line(), into: &advice)
        section.requiredText("button", .line(), into: &button)
        section.requiredText("done", .line(), into: &done)
        section.requiredText("invalidLink", .line(), into: &invalidLink)
        section.requiredText("unavailable", .line(), into: &unavailable)
    }
}
