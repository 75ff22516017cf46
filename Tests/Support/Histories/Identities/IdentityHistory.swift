import InternalAPI

/// The users who had an identity by a history, and when.
struct IdentityHistory {
    typealias Span = IdentityOperation.Span

    let operations: [IdentityOperation]
    /// By user, the first operation that names them.
    private let firstMentions: [String: Duration]

    init(_ operations: [IdentityOperation]) {
        self.operations = operations
        var mentions: [String: Duration] = [:]
        for operation in operations {
            for user in [operation.user, operation.reached, operation.other].compactMap({ $0 }) {
                mentions[user] = min(mentions[user] ?? operation.invoked, operation.invoked)
            }
        }
        firstMentions = mentions
    }

    /// The times at which a user certainly had an identity.
    func holds(_ user: String, _ identity: VerifiedIdentity) -> [Span] {
        operations.filter { $0.identity == identity && isHeld($0, by: user) }.map(\.span)
    }

    private func isHeld(_ operation: IdentityOperation, by user: String) -> Bool {
        operation.reached == user
            || (operation.kind == .add && operation.user == user && operation.outcome == .accepted)
    }

    /// The times at which a user certainly did not have an identity, because they had just lost it, another user had it, or the user
    /// had another one of the kind.
    func lacks(_ user: String, _ identity: VerifiedIdentity) -> [Span] {
        operations.filter { operation in
            guard operation.isSuccess else { return false }
            if operation.identity == identity, let holder = holder(operation) { return holder != user }
            if operation.reached == user { return replaces(operation, identity) }
            return switch operation.kind {
            case .remove: operation.user == user && operation.identity == identity
            case .add: operation.user == user && replaces(operation, identity)
            case .merge: operation.other == user
            case .signIn, .refresh, .delete, .replaceNumber, .mergeLater, .object, .objectToMerge, .leave, .addPasskey,
                .removePasskey, .useCode:
                false
            }
        }.map(\.span)
    }

    private func holder(_ operation: IdentityOperation) -> String? {
        operation.kind == .add ? operation.user : operation.reached
    }

    private func replaces(_ operation: IdentityOperation, _ identity: VerifiedIdentity) -> Bool {
        operation.identity.map { $0.kind == identity.kind && $0 != identity } ?? false
    }

    /// The times at which a user may have got an identity.
    func gains(_ user: String, _ identity: VerifiedIdentity) -> [Span] {
        operations.filter { operation in
            guard operation.mayHaveHappened else { return false }
            return switch operation.kind {
            case .signIn: operation.identity == identity && mayCreate(operation, user)
            case .add, .replaceNumber: operation.user == user && operation.identity == identity
            case .merge, .mergeLater: operation.user == user && operation.other.map { mayBring(identity, $0) } ?? true
            case .remove, .refresh, .delete, .object, .objectToMerge, .leave, .addPasskey, .removePasskey, .useCode:
                false
            }
        }.compactMap(move)
    }

    /// Whether a sign-in may have created a user: one without an answer, any user who was unknown before.
    private func mayCreate(_ operation: IdentityOperation, _ user: String) -> Bool {
        switch operation.outcome {
        case .reached(let reached, let isNew): isNew && reached == user
        case .unknown: firstMentions[user].map { $0 >= operation.invoked } ?? true
        case .refused, .accepted: false
        }
    }

    private func mayBring(_ identity: VerifiedIdentity, _ other: String) -> Bool {
        operations.contains { operation in
            operation.mayHaveHappened
                && ([.merge, .mergeLater].contains(operation.kind) && operation.user == other
                    || operation.identity == identity && (operation.user == other || mayCreate(operation, other)))
        }
    }

    /// The times at which a user may have lost an identity.
    func losses(_ user: String, _ identity: VerifiedIdentity) -> [Span] {
        operations.filter { operation in
            guard operation.mayHaveHappened else { return false }
            let isNumber = identity.kind == .phone
            return switch operation.kind {
            case .remove: operation.user == user && operation.identity == identity
            case .add: operation.user == user && replaces(operation, identity)
            case .merge, .mergeLater:
                operation.other == user || operation.user == user && isNumber && operation.takesNumber
            // A number leaves an account that waits for its deletion.
            case .delete: operation.user == user && isNumber
            case .replaceNumber: operation.user == user && replaces(operation, identity)
            case .signIn: operation.identity == identity && isRecycled(operation, from: user)
            case .refresh, .object, .objectToMerge, .leave, .addPasskey, .removePasskey, .useCode: false
            }
        }.compactMap { $0.kind == .delete ? Span(begin: $0.invoked, end: nil) : move($0) }
    }

    /// The time in which an operation may take effect: the operator's change and a merge that waits later, unless a user objects; `nil`
    /// if the objection came before that time.
    private func move(_ begun: IdentityOperation) -> Span? {
        let objection: IdentityOperation.Kind
        switch begun.kind {
        case .replaceNumber: objection = .object
        case .mergeLater: objection = .objectToMerge
        default: return begun.span
        }
        let ends = operations.filter { operation in
            operation.kind == objection && [begun.user, begun.other].contains(operation.user)
                && operation.outcome == .accepted && begun.span.isBefore(operation.span)
        }
        let (begin, end) = (begun.dueAt ?? begun.invoked, ends.compactMap(\.completed).min())
        return end.map { $0 < begin } ?? false ? nil : Span(begin: begin, end: end)
    }

    /// Whether a sign-in may have begun a new account with the number of a user who was away at that time.
    private func isRecycled(_ signIn: IdentityOperation, from user: String) -> Bool {
        guard signIn.takesNumber, signIn.identity?.kind == .phone else { return false }
        return operations.contains { left in
            guard left.kind == .leave, left.user == user, !signIn.span.isBefore(left.span) else { return false }
            return !operations.contains { back in
                let isUse = back.reached == user || back.kind == .refresh && back.user == user
                return isUse && back.isSuccess && left.span.isBefore(back.span) && back.span.isBefore(signIn.span)
            }
        }
    }

    /// Whether a user may still have an identity, at a time.
    func mayHold(_ user: String, _ identity: VerifiedIdentity, at time: Span) -> Bool {
        let lacks = lacks(user, identity).filter { $0.isBefore(time) }
        return gains(user, identity).contains { gain in
            let isBegun = time.end.map { gain.begin < $0 } ?? true
            return isBegun && !lacks.contains { gain.isBefore($0) }
        }
    }

    /// Whether a user may have lost an identity after a time at which they had it, and before another one.
    func mayHaveLost(_ user: String, _ identity: VerifiedIdentity, between held: Span, and time: Span) -> Bool {
        losses(user, identity).contains { loss in
            let isAfter = loss.end.map { $0 > held.begin } ?? true
            let isBefore = time.end.map { loss.begin < $0 } ?? true
            return isAfter && isBefore
        }
    }
}
