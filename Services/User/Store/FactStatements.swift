import InternalAPI
import Storage
import UserCore

/// The statements that read the facts for one query, each with what its rows are.
struct FactStatements {
    private enum Part {
        case link, holder, atProvider, identities, tokensFrom, removal, claimant, invitation, registrations, floor,
            earlier
        case firstAnswer, pending, pendingOfNumber, origins, administrators, client, passkey, passkeys, passkeyLost,
            secondFactor
        case recoveryCodes

        var isOnlyForUnowned: Bool { [.claimant, .invitation, .registrations, .pendingOfNumber].contains(self) }
    }

    private let question: UserQuestion
    private var identity: VerifiedIdentity?
    private var parts: [Part] = []
    private(set) var statements: [Statement] = []

    /// - Parameter link: the queried link, while it is valid.
    init(_ question: UserQuestion, link: AccountLink?) {
        self.question = question
        switch question.subject {
        case .identity(let identity): addIdentity(identity)
        case .atProvider(let identity):
            self.identity = identity
            add(.holder, Self.holderByIdentity, identity.kind.rawValue, identity.value)
            add(.atProvider, Self.atProvider, identity.kind.rawValue, identity.value)
            addFirstAnswer()
            return
        case .link(let hash):
            if let link {
                add(.link, Facts.link, hash, question.askedAt)
                if let identity = link.identity {
                    addIdentity(identity)
                } else {
                    add(.holder, Self.holderByID, link.subject.bytes)
                }
            }
        case .passkey(let key):
            add(.holder, Self.holderByPasskey, key)
            add(.passkey, PasskeyRows.byKey, key)
            if question.readsOrigins { add(.origins, OriginRows.byPasskey, key) }
            if question.readsSecondFactor { add(.secondFactor, SecondFactorRows.byPasskey, question.askedAt, key) }
        case .account(let id):
            add(.holder, Self.holderByID, id.bytes)
            if question.readsOrigins { add(.origins, OriginRows.byUser, id.bytes) }
            if question.readsSecondFactor { addSecondFactor(of: id) }
        case .identities(let id):
            add(.holder, Self.holderByID, id.bytes)
            add(.identities, Self.identitiesOfUser, id.bytes)
            add(.passkeys, PasskeyRows.ofUser, id.bytes)
            add(.passkeyLost, DecisionRows.passkeyLost, id.bytes)
            add(.pending, PendingRows.ofUser, id.bytes)
            addSecondFactor(of: id)
        case .user(let id):
            add(.holder, Self.holderByID, id.bytes)
            add(.removal, Self.removal, id.bytes)
            return
        case .legacyID(let text):
            add(.holder, Self.holderByLegacyID, text)
            return
        case .administrators:
            add(.administrators, Self.administrators)
            return
        case .client(let id):
            add(.client, ClientRows.byID, id)
            return
        }
        add(.floor, RestoreEpoch.selection)
        if let proofID = question.proofID { add(.earlier, ResolutionRows.byProof, proofID) }
        addFirstAnswer()
    }

    private mutating func addFirstAnswer() {
        guard let call = question.call else { return }
        add(.firstAnswer, Self.answer, call.bytes, question.askedAt)
    }

    private mutating func addSecondFactor(of user: UserID) {
        add(.secondFactor, SecondFactorRows.byUser, question.askedAt, user.bytes)
        add(.recoveryCodes, SecondFactorRows.codes, user.bytes)
    }

    private mutating func addIdentity(_ identity: VerifiedIdentity) {
        self.identity = identity
        add(.holder, Self.holderByIdentity, identity.kind.rawValue, identity.value)
        if question.readsOrigins { add(.origins, OriginRows.byIdentity, identity.kind.rawValue, identity.value) }
        if question.readsSecondFactor {
            add(
                .secondFactor, SecondFactorRows.byIdentity, question.askedAt, identity.kind.rawValue, identity.value)
        }
        add(.invitation, Self.invitation, identity.kind.rawValue, identity.value, question.askedAt)
        if identity.kind == .phone { add(.pendingOfNumber, PendingRows.ofNumber, identity.value) }
        if identity.kind == .apple { add(.tokensFrom, Self.tokensFrom, identity.kind.rawValue, identity.value) }
        guard identity.kind == .email else { return }
        add(.claimant, Self.claimant, identity.value)
        add(.registrations, Self.registrations, identity.value, question.askedAt)
    }

    private mutating func add(_ part: Part, _ sql: SQL, _ values: any SQLConvertible...) {
        parts.append(part)
        statements.append(Statement(sql, values))
    }
}

// MARK: - Reading

extension FactStatements {
    /// Runs the statements one by one, without those that only a query without an owner needs.
    func results(in reader: any StatementReader) throws -> [Rows] {
        var (rows, isOwned): ([Rows], Bool) = ([], false)
        for (part, statement) in zip(parts, statements) {
            guard !isOwned || !part.isOnlyForUnowned else {
                rows.append(Rows(nil))
                continue
            }
            rows += try reader.results([statement])
            if part == .holder {
                isOwned = try rows.last?.first.flatMap(UserRows.user).map { !$0.isForReview } ?? false
            }
        }
        return rows
    }

    /// Returns the facts in the results of `statements`. What only a query without a holder needs stays empty for others.
    func facts(from results: some Collection<Rows>) throws -> UserFacts {
        var rows = Dictionary(uniqueKeysWithValues: zip(parts, results))
        var (facts, identity) = (UserFacts(question), identity)
        if case .link(let hash) = question.subject {
            facts.link = try rows[.link]?.first.flatMap { try Facts.link(hash, $0) }
            // A link that was used meanwhile leads to no address.
            if facts.link == nil { (identity, rows[.holder]) = (nil, nil) }
        }
        let holder = rows[.holder]?.first
        facts.holder = try holder.flatMap(UserRows.user)
        facts.firstAnswer = try rows[.firstAnswer]?.first.map(firstAnswer)
        switch question.subject {
        case .atProvider:
            facts.identity = identity
            guard facts.holder != nil, let row = rows[.atProvider]?.first else { return facts }
            (facts.usedAt, facts.hasOtherIdentity) = (row.integer(0), row.boolean(1))
            return facts
        case .user:
            facts.isRemoved = facts.holder == nil && rows[.removal]?.isEmpty == false
            return facts
        case .legacyID: return facts
        case .administrators:
            facts.administrators = try rows[.administrators]?.map { try $0.userID(0) } ?? []
            return facts
        case .client:
            facts.client = rows[.client]?.first.map(ClientRows.client)
            return facts
        case .account: facts.identity = facts.holder?.email.map { .email($0) }
        case .identities:
            facts.identity = facts.holder?.email.map { .email($0) }
            facts.passkeys = try rows[.passkeys]?.map(PasskeyRows.passkey) ?? []
            facts.passkeyLostAt = rows[.passkeyLost]?.first?.optionalInteger(0)
            facts.identities = rows[.identities]?.compactMap(Self.held) ?? []
            facts.pending = try rows[.pending]?.map(PendingRows.change) ?? []
        case .passkey: facts.passkey = try rows[.passkey]?.first.map(PasskeyRows.passkey)
        case .identity, .link: facts.identity = identity
        }
        if facts.holder != nil {
            facts.password = holder.flatMap(Self.password)
            facts.reviewedSince = holder?.optionalInteger(UserRows.columnCount + 3)
            facts.reviewEndsAt = holder?.optionalInteger(UserRows.columnCount + 4)
            facts.heldSince = holder?.optionalInteger(UserRows.columnCount + 5)
            facts.knownOrigins = rows[.origins]?.compactMap(OriginRows.origin) ?? []
            facts.secondFactor = SecondFactorRows.factor(rows[.secondFactor], codes: rows[.recoveryCodes])
            facts.tokensFrom = rows[.tokensFrom]?.first?.optionalInteger(0)
        }
        if !facts.isOwned, let identity {
            facts.claimant = try rows[.claimant]?.first.flatMap(Self.claimant)
            facts.invitation = try rows[.invitation]?.first.map { try Self.invitation($0, identity) }
            if facts.holder == nil { facts.pending = try rows[.pendingOfNumber]?.map(PendingRows.change) ?? [] }
            facts.registrations = try rows[.registrations]?.map { try Self.registration($0, identity.value) } ?? []
        }
        let mayLose = if case .identities = question.subject { true } else { facts.holder?.deletion != nil }
        if !facts.isOwned || mayLose {
            facts.epoch = rows[.floor]?.first?.integer(0) ?? 0
        }
        facts.earlier = try rows[.earlier]?.first.map(ResolutionRows.earlier)
        return facts
    }

    private static func password(_ row: Row) -> StoredPassword? {
        let first = UserRows.columnCount
        guard let hash = row.optionalText(first) else { return nil }
        return StoredPassword(
            hash: hash, version: row.integer(first + 1), changedAt: row.optionalInteger(first + 2))
    }

    private static func claimant(_ row: Row) throws -> Claimant? {
        try UserRows.user(row).map { Claimant(user: $0, hasProof: row.boolean(UserRows.columnCount)) }
    }

    private static func held(_ row: Row) -> HeldIdentity? {
        VerifiedIdentity.Kind(rawValue: row.text(0)).map { kind in
            HeldIdentity(
                identity: VerifiedIdentity(kind: kind, value: row.text(1)), since: row.integer(2),
                usedAt: row.integer(3))
        }
    }

    static func invitation(_ row: Row, _ identity: VerifiedIdentity) throws -> Invitation {
        Invitation(id: try row.userID(0), identity: identity, role: row.text(1), expiresAt: row.integer(2))
    }

    private static func registration(_ row: Row, _ address: String) throws -> Registration {
        Registration(
            id: try row.userID(0), address: address, passwordHash: row.text(1), name: row.optionalText(2),
            createdAt: row.integer(3), expiresAt: row.integer(4))
    }

    private func firstAnswer(_ row: Row) throws -> FirstAnswer {
        FirstAnswer(
            call: question.call ?? CallTag(bytes: []), answer: row.bytes(0),
            user: row.optionalBytes(1).flatMap(UserID.init), endsSessions: row.boolean(2), expiresAt: row.integer(3))
    }
}
