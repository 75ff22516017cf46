import InternalAPI
import TestSupport

/// Builds histories of identities by hand; times are milliseconds, and an end of 0 means that no answer came.
struct IdentityScript {
    static let (number, other) = (VerifiedIdentity.phone("+15550000001"), VerifiedIdentity.phone("+15550000002"))
    static let address = VerifiedIdentity(kind: .email, value: "ann@example.com")

    private var operations: [IdentityOperation] = []

    /// Returns the rules that the checker finds broken in a history.
    static func broken(_ write: (inout IdentityScript) -> Void) -> Set<IdentityFinding.Invariant> {
        var script = IdentityScript()
        write(&script)
        return Set(IdentityChecker().findings(in: script.operations).map(\.invariant))
    }

    mutating func signIn(
        _ times: (Int, Int), _ identity: VerifiedIdentity, to user: String?, isNew: Bool = false,
        session: String? = nil, takesNumber: Bool = false, isCensus: Bool = false
    ) {
        add(.signIn, times, nil, user.map { .reached($0, isNew: isNew) } ?? .refused) {
            ($0.identity, $0.session, $0.takesNumber, $0.isCensus) = (identity, session, takesNumber, isCensus)
        }
    }

    mutating func refresh(
        _ times: (Int, Int), _ user: String, session: String? = nil, isCensus: Bool = false,
        _ outcome: IdentityOperation.Outcome = .accepted
    ) {
        add(.refresh, times, user, outcome) { ($0.session, $0.isCensus) = (session, isCensus) }
    }

    mutating func add(
        _ times: (Int, Int), _ identity: VerifiedIdentity, to user: String,
        _ outcome: IdentityOperation.Outcome = .accepted
    ) {
        add(.add, times, user, outcome) { $0.identity = identity }
    }

    mutating func remove(
        _ times: (Int, Int), _ identity: VerifiedIdentity, of user: String, session: String? = nil,
        _ outcome: IdentityOperation.Outcome = .accepted
    ) {
        add(.remove, times, user, outcome) { ($0.identity, $0.session, $0.endsSessions) = (identity, session, true) }
    }

    mutating func merge(
        _ times: (Int, Int), _ other: String, into user: String, takesNumber: Bool = false,
        _ outcome: IdentityOperation.Outcome = .accepted
    ) {
        add(.merge, times, user, outcome) {
            ($0.other, $0.takesNumber, $0.endsSessions) = (other, takesNumber, true)
        }
    }

    /// - Parameter due: the time from which the merge may happen.
    mutating func mergeLater(
        _ times: (Int, Int), _ other: String, into user: String, due: Int,
        _ outcome: IdentityOperation.Outcome = .accepted
    ) {
        add(.mergeLater, times, user, outcome) { ($0.other, $0.dueAt) = (other, .milliseconds(due)) }
    }

    mutating func replaceNumber(_ times: (Int, Int), of user: String, with number: VerifiedIdentity) {
        add(.replaceNumber, times, user, .accepted) { $0.identity = number }
    }

    /// An operation of a user without details: an objection, an absence or a deletion.
    mutating func act(_ kind: IdentityOperation.Kind, _ times: (Int, Int), _ user: String) {
        add(kind, times, user, .accepted) { $0.endsSessions = kind == .delete }
    }

    /// - Parameter passkey: its name, which is its own.
    mutating func passkey(
        _ kind: IdentityOperation.Kind, _ times: (Int, Int), _ passkey: String, of user: String,
        _ outcome: IdentityOperation.Outcome = .accepted
    ) {
        add(kind, times, user, outcome) { $0.passkey = passkey }
    }

    /// - Parameters:
    ///   - user: the user that the passkey leads to; `nil` if it is refused.
    ///   - assertion: names the assertion; each sign-in has its own without it.
    mutating func signIn(
        _ times: (Int, Int), by passkey: String, to user: String?, session: String? = nil, assertion: String? = nil
    ) {
        add(.signIn, times, nil, user.map { .reached($0, isNew: false) } ?? .refused) {
            ($0.passkey, $0.session, $0.credential) = (passkey, session, assertion)
        }
    }

    mutating func useCode(
        _ times: (Int, Int), _ code: String, by user: String, _ outcome: IdentityOperation.Outcome = .accepted
    ) {
        add(.useCode, times, user, outcome) { $0.credential = code }
    }

    private mutating func add(
        _ kind: IdentityOperation.Kind, _ times: (Int, Int), _ user: String?, _ outcome: IdentityOperation.Outcome,
        _ change: (inout IdentityOperation) -> Void
    ) {
        var operation = IdentityOperation(kind, invoked: .milliseconds(times.0))
        (operation.user, operation.outcome) = (user, outcome)
        if times.1 > 0 { operation.completed = .milliseconds(times.1) } else { operation.outcome = .unknown }
        change(&operation)
        operations.append(operation)
    }
}
