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

    package init(channels: Set<String>, contents: Set<Content>) {
        self.channels = channels
        self.contents = contents
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
