package import InternalAPI
package import Storage

/// Passwords, registrations, invitations and links, with the users whom they are about.
///
/// Acts are decided on facts and stored with their first answer in one transaction, if the facts still hold.
package protocol AccountStore: Sendable {
    func accountFacts(_ question: AccountQuestion) async throws -> AccountFacts

    /// Does what was decided, if the facts are still the same.
    func apply(_ changes: [AccountChange], on facts: AccountFacts, now: Int64) async throws -> Applied

    /// The open invitation of an identity.
    func invitation(of identity: ProvedIdentity, now: Int64) async throws -> Invitation?

    /// Invitations that are open, those that end first.
    func invitations(limit: Int, now: Int64) async throws -> [Invitation]

    /// Whether somebody holds the identity.
    func isHeld(_ identity: ProvedIdentity) async throws -> Bool
}

/// About whom facts are asked, and for which call.
package struct AccountQuestion: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case identity(ProvedIdentity)
        /// Of a link's token.
        case link(hash: [UInt8])
        case user(UserID)

        /// - Parameter text: in its one spelling.
        package static func address(_ text: String) -> Self { .identity(ProvedIdentity(kind: .email, value: text)) }
    }

    package let subject: Subject
    /// Names the call; nil where nothing is kept of it.
    package let call: CallTag?
    /// Unix time in seconds at which links and registrations must be open.
    package let askedAt: Int64

    package init(_ subject: Subject, call: CallTag?, askedAt: Int64) {
        self.subject = subject
        self.call = call
        self.askedAt = askedAt
    }
}

/// What an act about an account is decided on.
package struct AccountFacts: Sendable, Equatable {
    package let question: AccountQuestion
    /// The storage's epoch, as in `SignInFacts`.
    package let epoch: Int64
    /// The address in question; nil for a number, an unknown link, or a user who has none.
    package let address: String?
    /// The user who holds it, or who was asked for.
    package let holder: User?
    /// Who says that the address is his, while nobody holds it.
    package let claimant: Claimant?
    /// The holder's.
    package let password: StoredPassword?
    /// Those that are open, oldest first.
    package let registrations: [Registration]
    package let invitation: Invitation?
    /// The one that was asked for, while it opens.
    package let link: AccountLink?
    /// What this call was answered before.
    package let firstAnswer: FirstAnswer?

    package init(
        question: AccountQuestion, epoch: Int64, address: String?, holder: User?, claimant: Claimant?,
        password: StoredPassword?, registrations: [Registration], invitation: Invitation?, link: AccountLink?,
        firstAnswer: FirstAnswer?
    ) {
        self.question = question
        self.epoch = epoch
        self.address = address
        self.holder = holder
        self.claimant = claimant
        self.password = password
        self.registrations = registrations
        self.invitation = invitation
        self.link = link
        self.firstAnswer = firstAnswer
    }
}

/// One thing that an act writes.
package enum AccountChange: Sendable, Equatable {
    /// A user begins with the identity that he has proved.
    case create(User, ProvedIdentity)
    case update(User)
    /// Who only said that the address is his has proved it.
    case claimBecomesIdentity(ProvedIdentity, of: UserID)
    case endClaim(ProvedIdentity)
    case setPassword(StoredPassword, of: UserID)
    case removePassword(of: UserID)
    case addRegistration(Registration)
    case endRegistration(UserID)
    /// All of an address, with their links.
    case endRegistrations(address: String)
    case addLink(AccountLink)
    /// All of a subject.
    case endLinks(of: UserID)
    /// In place of an earlier one of its identity.
    case addInvitation(Invitation)
    /// With its links.
    case endInvitation(Invitation)
    case audit(AuditEntry)
    case tell(OutboxMessage, about: UserID, dueAt: Int64)
    case answer(FirstAnswer)
}

/// What a call is answered, kept so that its repeat is answered alike by every replica.
package struct FirstAnswer: Sendable, Equatable {
    package let call: CallTag
    /// As JSON.
    package let answer: [UInt8]
    /// The user whom it is about, and with whom it goes; nil for nobody.
    package let user: UserID?
    /// Whether the act ended his sessions.
    package let endsSessions: Bool
    /// Unix time in seconds from which the call's key begins another call.
    package let expiresAt: Int64

    package init(call: CallTag, answer: [UInt8], user: UserID?, endsSessions: Bool, expiresAt: Int64) {
        self.call = call
        self.answer = answer
        self.user = user
        self.endsSessions = endsSessions
        self.expiresAt = expiresAt
    }
}

/// Names a call of one caller with one body; tells nothing of either.
package struct CallTag: Sendable, Hashable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}
