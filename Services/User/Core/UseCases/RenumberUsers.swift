import InternalAPI

/// Renames the phone numbers of users and invitations, page by page. Collisions are reported and nothing is merged, since the
/// new phone number may belong to another person.
struct RenumberUsers: Sendable {
    let store: any UserStore
    let queries: any UserQueries
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` for invalid changes or an invalid cursor; `StorageError`.
    func callAsFunction(_ request: RenumberRequest, requestID: String?) async throws -> RenumberPage {
        let rule = try Renumbering(request.changes)
        guard request.cursor?.hasPrefix("+") ?? true else { throw InvalidInput.numberChange }
        let now = now()
        let held = try await queries.numbers(
            prefix: rule.prefix, after: request.cursor, limit: RenumberPage.numbersMax, now: now)
        var (renamings, rows): ([Renaming], [RenumberedNumber]) = ([], [])
        for number in held {
            switch rule.target(of: number.number) {
            case .none: continue
            case .number(let new): renamings.append(Renaming(held: number, to: new))
            case .impossible(let new): rows.append(row(number, new, .impossible))
            }
        }
        let origin = RequestOrigin.byOperator(requestID)
        let verdicts = try await rename(renamings, isDryRun: request.isDryRun, origin, now)
        rows += zip(renamings, verdicts).compactMap(row)
        // A renaming has a record of its own; what stays and is printed has one for the page.
        let readCount = request.isDryRun ? rows.count : rows.count { $0.result != .renamed }
        if readCount > 0 { try await store.note([.audit(.lookUp("renumber: \(readCount)", origin))], now: now) }
        return RenumberPage(
            numbers: rows.sorted { $0.from < $1.from },
            next: held.count < RenumberPage.numbersMax ? nil : held.last?.number)
    }

    private func rename(
        _ renamings: [Renaming], isDryRun: Bool, _ origin: RequestOrigin, _ now: Int64
    ) async throws -> [RenamingVerdict] {
        let questions = renamings.flatMap(\.subjects).map { UserQuestion($0, askedAt: now) }
        guard !isDryRun else {
            return Renaming.decide(renamings, try await store.facts(questions).bySubject, origin).outcome
        }
        return try await store.decideTogether(questions, now: now) { Renaming.decide(renamings, $0, origin) }
    }

    private func row(_ renaming: Renaming, _ verdict: RenamingVerdict) -> RenumberedNumber? {
        switch verdict {
        case .renamed: row(renaming.held, renaming.to, .renamed)
        case .taken(let holder): row(renaming.held, renaming.to, .taken, holder: holder)
        case .gone: nil
        }
    }

    private func row(
        _ held: HeldNumber, _ new: String, _ result: RenumberedNumber.Result, holder: UserID? = nil
    ) -> RenumberedNumber {
        RenumberedNumber(
            from: held.number, to: new, userID: held.user?.text(prefix: userIDPrefix), result: result,
            holderID: holder?.text(prefix: userIDPrefix))
    }
}
