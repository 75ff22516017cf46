import InternalAPI

/// A mail's place in its lane: by purpose first, then by turns of the networks that requested mails.
///
/// A network that requests many mails thus delays its own alone: the first mail of any other network goes out after at most
/// one mail of each.
package struct OutboxPlace: Sendable, Equatable {
    /// The client that requested a mail.
    package struct Asker: Sendable, Equatable {
        /// Tells networks apart and says nothing about them; empty if it is unknown.
        let network: String
        /// Whether the account's owner has signed in from this network.
        let isRecognised: Bool

        /// The operator, or the owner's own session.
        static let trusted = Asker(network: "", isRecognised: true)
    }

    /// Lower ranks go out first.
    package let rank: Int64
    /// Networks of one rank take turns; empty for none.
    package let network: String

    package init(rank: Int64 = 0, network: String = "") {
        self.rank = rank
        self.network = network
    }

    init(_ kind: MailNotice.Kind, for asker: Asker) {
        self.init(rank: kind.purposeRank * 2 + (asker.isRecognised ? 0 : 1), network: asker.network)
    }
}

extension MailNotice.Kind {
    /// What a person waits for, or has to know, goes before what a stranger may have begun.
    fileprivate var purposeRank: Int64 {
        switch self {
        case .passwordChanged, .accountDeletion: 0
        case .passwordReset: 1
        case .invitation: 2
        case .confirmRegistration, .confirmRegistrationByLink, .addressKnown: 3
        }
    }
}
