/// The messages that a sender can deliver (integration guide 1.1).
package struct SenderAbilities: Sendable, Equatable {
    /// The content of a message.
    package enum Content: Sendable, CaseIterable {
        /// A code, for which the provider may use its own wording.
        case code
        /// A link.
        case link
        /// A text that the provider sends unchanged.
        case text
    }

    /// A subset of `sms`, `call`, `whatsapp`, `email`.
    package let channels: Set<String>
    package let contents: Set<Content>
    /// Whether the provider sends a code of its own instead of ours, and checks it (`CodeChecker`).
    package let makesCodes: Bool

    package init(channels: Set<String>, contents: Set<Content>, makesCodes: Bool = false) {
        self.channels = channels
        self.contents = contents
        self.makesCodes = makesCodes
    }

    /// Every channel and content.
    package static let everything = SenderAbilities(
        channels: ["sms", "call", "whatsapp", "email"], contents: Set(Content.allCases))

    /// Mails with any content.
    package static let mail = SenderAbilities(channels: ["email"], contents: Set(Content.allCases))
}

extension Message.Content {
    /// The kind of content that a sender must support.
    package var kind: SenderAbilities.Content {
        if code != nil { return .code }
        return link == nil ? .text : .link
    }
}
