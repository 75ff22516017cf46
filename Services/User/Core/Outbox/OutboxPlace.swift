import InternalAPI

/// A mail's place in its lane: by purpose first, then by turns of the networks that requested mails.
///
/// A network that requests many mails thus delays only its own. The first mail of any other network is sent after at most one
/// mail of each network.
package struct OutboxPlace: Sendable, Equatable {
    /// The client that requested a mail.
    package struct Asker: Sendable, Equatable {
        /// A tag that distinguishes the network and reveals nothing about it; empty if the network is unknown.
        let network: String
        /// Whether the user has signed in from this network before.
        let isRecognised: Bool

        /// The operator, or the user's own session.
        static let trusted = Asker(network: "", isRecognised: true)
    }

    /// The rank; lower ranks are sent first.
    package let rank: Int64
    /// The network's tag, since networks of one rank take turns; empty if the mail has no turn.
    package let network: String

    package init(rank: Int64 = 0, network: String = "") {
        self.rank = rank
        self.network = network
    }

    /// The place of a revocation at Apple, after the codes, which expire within minutes.
    static let revocation = OutboxPlace(rank: 1)

    init(_ kind: MailNotice.Kind, for asker: Asker) {
        self.init(rank: kind.purposeRank * 2 + (asker.isRecognised ? 0 : 1), network: asker.network)
    }
}

extension MailNotice.Kind {
    /// The rank of the purpose: mails that a user waits for, or has to know about, precede those that anybody can request.
    fileprivate var purposeRank: Int64 {
        switch self {
        case .passwordChanged, .identityChanged, .newDevice, .phoneChange, .merge, .accountDeletion, .passkeyAdded,
            .passkeyWaits, .passkeyRemoved, .passkeyCounter:
            0
        case .passwordReset: 1
        case .invitation, .confirmAddress: 2
        case .confirmRegistration, .confirmRegistrationByLink, .addressKnown: 3
        // Many are written at once, and none is urgent.
        case .inactivity: 4
        }
    }
}
