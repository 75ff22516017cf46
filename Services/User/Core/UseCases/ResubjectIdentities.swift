import InternalAPI

/// Gives identities at a provider new subjects, as after the move of an app to another Apple team. Each change is a transaction.
///
/// No session ends. Nothing is merged, since a new subject that has an account may belong to another person.
struct ResubjectIdentities: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    /// The names of the policy's providers.
    let providers: Set<String>
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` for an unknown provider or invalid changes; `StorageError`, after which earlier changes stay.
    func callAsFunction(_ request: ResubjectRequest, requestID: String?) async throws -> ResubjectAnswer {
        guard providers.contains(request.provider) else { throw InvalidInput.unknownProvider }
        guard (1...ResubjectRequest.changesMax).contains(request.changes.count),
            request.changes.allSatisfy({ Self.isValid($0) })
        else { throw InvalidInput.subjectChange }
        var results: [SubjectResult] = []
        for change in request.changes {
            let move = SubjectMove(
                provider: request.provider, change: change, userIDPrefix: userIDPrefix, origin: .byOperator(requestID))
            results.append(try await carryOut(move, isDryRun: request.isDryRun))
        }
        let readCount = request.isDryRun ? results.count : results.count { $0.outcome != .moved }
        if readCount > 0 {
            let entry = AuditEntry.lookUp("resubject: \(readCount)", .byOperator(requestID))
            try await store.note([.audit(entry)], now: now())
        }
        return ResubjectAnswer(results: results)
    }

    private func carryOut(_ move: SubjectMove, isDryRun: Bool) async throws -> SubjectResult {
        let now = now()
        let questions = [move.old, move.new].map { UserQuestion(.identity($0), askedAt: now) }
        guard !isDryRun else { return move.decide(try await store.facts(questions).bySubject).outcome }
        return try await store.decideTogether(questions, now: now) { move.decide($0) }
    }

    private static func isValid(_ change: SubjectChange) -> Bool {
        change.from != change.to && VerifiedIdentity.isSubject(change.from) && VerifiedIdentity.isSubject(change.to)
    }
}

/// One change of a subject.
struct SubjectMove: Sendable {
    let provider: String
    let change: SubjectChange
    let userIDPrefix: String
    let origin: RequestOrigin

    var old: VerifiedIdentity { VerifiedIdentity(provider: provider, subject: change.from) }
    var new: VerifiedIdentity { VerifiedIdentity(provider: provider, subject: change.to) }

    /// Decides on the users who have the subjects.
    func decide(_ facts: [UserQuestion.Subject: UserFacts]) -> Verdict<SubjectResult> {
        let id = { (user: User) in user.id.text(prefix: userIDPrefix) }
        switch (facts[.identity(old)]?.holder, facts[.identity(new)]?.holder) {
        case (nil, nil): return Verdict(SubjectResult(.unknown))
        case (nil, let holder?): return Verdict(SubjectResult(.present, userID: id(holder)))
        case (let user?, let holder?):
            return Verdict(SubjectResult(.taken, userID: id(user), holderID: id(holder)))
        case (let user?, nil):
            let entry = AuditEntry(.resubjected, user, origin, detail: provider)
            return Verdict(SubjectResult(.moved, userID: id(user)), [.renameIdentity(old, to: new), .audit(entry)])
        }
    }
}
