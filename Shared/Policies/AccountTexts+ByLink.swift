extension AccountTexts {
    /// The texts of a page with one button to press, in addition to the title and the last text of `confirmPage`.
    package struct Button: Sendable, Equatable {
        package var advice, button: String
    }

    /// The texts of a registration that its link confirms without the password, as uta's document prints it.
    package struct ByLink: Sendable, Equatable {
        package var letter = LinkLetter(
            subject: "Confirm your {app} account", title: "Confirm your registration",
            body:
                "Someone registered for {app} with this email address and chose a password. The button behind the "
                + "link creates the account. The person who chose the password can then sign in with your email "
                + "address.",
            button: "View registration", expiry: "This link expires on {time}.",
            warning: "If it wasn't you, ignore this email. No account is created unless you press the button.")
        /// The page to which the link leads.
        package var page = Button(
            advice:
                "Someone registered for {app} with your email address and chose a password. The button creates the "
                + "account, and the person who chose the password can sign in to it. If it wasn't you, close this "
                + "page.",
            button: "It was me: create the account")

        /// English.
        package init() {}

        /// Section `byLink`; every key is required:
        /// - `letter` section as `accounts.confirm`
        /// - `page` section of texts: `advice`, `button`
        init(reading section: PolicySection) {
            section.requiredSection("letter") { letter.read($0) }
            section.requiredSection("page") { page.read($0) }
        }
    }
}

extension AccountTexts.Button {
    fileprivate mutating func read(_ section: PolicySection) {
        section.requiredText("advice", .line(), into: &advice)
        section.requiredText("button", .line(), into: &button)
    }
}
