extension AccountTexts {
    /// Of a page that asks for one press of a button, beside the title and the end that it has in common with `confirmPage`.
    package struct Button: Sendable, Equatable {
        package var advice, button: String
    }

    /// Of a registration that its link confirms without the password, as uta's document prints it.
    package struct ByLink: Sendable, Equatable {
        package var letter = LinkLetter(
            subject: "Confirm your {app} account", title: "Is this your registration?",
            body:
                "Somebody registered at {app} with this address and chose a password. Opening the link and pressing the "
                + "button there creates the account: whoever chose the password can then sign in as you.",
            button: "Look at the registration", expiry: "The link holds until {time}.",
            warning: "If that was not you, do not press the button: without it nothing is created. Ignore this mail.")
        /// Behind the link.
        package var page = Button(
            advice:
                "Somebody registered at {app} with your address and chose a password. The button creates the account, and "
                + "whoever chose the password can sign in to it. If that was not you, close this page.",
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
