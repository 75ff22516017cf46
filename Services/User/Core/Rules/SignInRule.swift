import InternalAPI
import Policies

/// Decides what a proved identity leads to.
struct SignInRule: Sendable {
    /// What a sign-in does to an account that waits for its removal.
    let onScheduledDeletion: DeletionPolicy.SignIn
    /// Whom a first proof makes a user.
    var newUsers = NewUsersPolicy()

    /// - Parameters:
    ///   - earlier: what this very attestation led to before.
    ///   - kind: of the proved identity.
    ///   - holder: the user who holds the identity.
    ///   - claimant: who says that it is his, while nobody holds it.
    func decide(
        earlier: EarlierSignIn?, kind: ProvedIdentity.Kind, holder: User?, claimant: Claimant? = nil, now: Int64
    ) -> SignInDecision {
        if let earlier { return repeated(earlier.resolution, earlier.user) }
        guard let holder else { return claimant.map(proved) ?? .create }
        guard holder.isActive else { return .refuse(.inactive) }
        guard let deletion = holder.deletion else { return .admit(holder) }
        // Numbers are given to other people, so they alone are taken from a holder who is still there.
        let givenUp: SignInDecision = kind == .phone ? .replace(holder) : .refuse(.deletionScheduled)
        // The promise to remove the data is kept from its hour on, even while the removal itself is still to come.
        guard now < deletion.dueAt else { return givenUp }
        return switch onScheduledDeletion {
        case .restore: .restore(holder)
        case .ask: .refuse(.deletionScheduled)
        case .newAccount: givenUp
        }
    }

    /// An unverified address gives an account no rights. When someone else verifies it, an account without any other identity
    /// passes to them and its sessions end; any other account loses the address. An account that the operator deactivated, and
    /// that has nothing but the address, stays deactivated: proving the address must not undo that.
    private func proved(_ claimant: Claimant) -> SignInDecision {
        if claimant.isDeactivated { return .refuse(.inactive) }
        return claimant.isAlone ? .takeOver(claimant.user) : .createInPlaceOf(claimant.user)
    }

    /// A proof given before a deletion does not undo it: only a new sign-in says that the person came back.
    private func repeated(_ resolution: Resolution, _ user: User?) -> SignInDecision {
        guard let user else { return .refuse(.spent) }
        guard user.isActive else { return .refuse(.inactive) }
        guard user.deletion == nil else { return .refuse(.spent) }
        return .repeated(resolution, user)
    }
}

/// What is to be done with a proved identity.
enum SignInDecision: Sendable, Equatable {
    /// Nobody holds the identity: make a user.
    case create
    case admit(User)
    /// The account was to be deleted and is not any more.
    case restore(User)
    /// The identity leaves an account that is given up and begins a new one.
    case replace(User)
    /// The account of who only said that the address is his goes to who proved it; all its sessions end.
    case takeOver(User)
    /// Who only said that the address is his loses it; make a user.
    case createInPlaceOf(User)
    /// The same answer as before.
    case repeated(Resolution, User)
    case refuse(SignInRefusal)

    /// Whether somebody becomes a user who was none.
    var makesUser: Bool {
        switch self {
        case .create, .replace, .createInPlaceOf: true
        case .admit, .restore, .takeOver, .repeated, .refuse: false
        }
    }
}

/// Why a proved identity does not lead to a grant.
enum SignInRefusal: Sendable, Equatable {
    case inactive
    /// The policy wants the person to be asked before the account is restored.
    case deletionScheduled
    /// It was proved before the account was given up, or by a password that has changed.
    case spent
    /// Only who was invited becomes a user.
    case notInvited
    /// The code of a store's reviewers opens no account of somebody else's, and none with a role.
    case notForReview
}

/// What an attestation led to; kept until it has expired, so that a repeat gets the same answer.
package struct Resolution: Sendable, Equatable {
    package let userID: UserID
    package let isNewUser: Bool
    package let restored: Bool

    package init(userID: UserID, isNewUser: Bool, restored: Bool) {
        self.userID = userID
        self.isNewUser = isNewUser
        self.restored = restored
    }
}

/// What a proof led to before.
package struct EarlierSignIn: Sendable, Equatable {
    package let resolution: Resolution
    /// As he is now; nil once he is removed.
    package let user: User?

    package init(resolution: Resolution, user: User?) {
        self.resolution = resolution
        self.user = user
    }
}

/// A user with an address that they have not verified.
package struct Claimant: Sendable, Equatable {
    package let user: User
    /// Whether the user has verified anything else.
    package let hasProof: Bool

    package init(user: User, hasProof: Bool) {
        self.user = user
        self.hasProof = hasProof
    }

    /// Whether the account has nothing but the address, so that it passes to the person who proves it.
    var isAlone: Bool { !hasProof && user.isActive && user.deletion == nil }

    /// Whether the account has nothing but the address, and the operator deactivated it.
    var isDeactivated: Bool { !hasProof && !user.isActive }
}
