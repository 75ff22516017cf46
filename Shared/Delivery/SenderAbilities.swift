/// What a sender can bring, and how (integration guide 1.1).
package struct SenderAbilities: Sendable, Equatable {
    /// What a message is about.
    package enum Content: Sendable, CaseIterable {
        /// A code, which the provider may word itself.
        case code
        /// A link.
        case link
        /// A text of ours, as it is.
        case text
    }

    /// Of `sms`, `call`, `whatsapp`, `email`.
    package let channels: Set<String>
    package let contents: Set<Content>
    /// The provider sends a code of its own in place of ours, and is asked whether one is right (`CodeChecker`).
    package let makesCodes: Bool

    package init(channels: Set<String>, contents: Set<Content>, makesCodes: Bool = false) {
        self.channels = channels
        self.contents = contents
        self.makesCodes = makesCodes
    }

    /// Whatever anybody asks for.
    package static let everything = SenderAbilities(
        channels: ["sms", "call", "whatsapp", "email"], contents: Set(Content.allCases))

    /// Mails, whatever they hold.
    package static let mail = SenderAbilities(channels: ["email"], contents: Set(Content.allCases))
}

extension Message.Content {
    /// What a sender must be able to bring.
    package var kind: SenderAbilities.Content {
        if code != nil { return .code }
        return link == nil ? .text : .link
    }
}
