import InternalAPI

/// Renames the numbers of users and invitations page by page. Collisions are reported and nothing is merged: the new number
/// may belong to another person.
struct RenumberUsers: Sendable {
    let store: any NumberStore
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Returns: `nil` if the changes or the cursor are invalid.
    func callAsFunction(_ request: RenumberRequest, requestID: String?) async throws -> RenumberPage? {
        guard let rule = Renumbering(request.changes), request.cursor?.hasPrefix("+") ?? true else { return nil }
        let now = now()
        let held = try await store.numbers(
            prefix: rule.prefix, behind: request.cursor, limit: RenumberPage.numbersMax, now: now)
        var (renamings, rows): ([Renaming], [RenumberedNumber]) = ([], [])
        for number in held {
            switch rule.target(of: number.number) {
            case .none: continue
            case .number(let new): renamings.append(Renaming(held: number, to: new))
            case .impossible(let new): rows.append(row(number, new, .impossible))
            }
        }
        let outcomes = try await store.rename(
            renamings, isDryRun: request.isDryRun,
            origin: .byOperator(requestID), now: now)
        rows += zip(renamings, outcomes).compactMap(row)
        return RenumberPage(
            numbers: rows.sorted { $0.from < $1.from },
            next: held.count < RenumberPage.numbersMax ? nil : held.last?.number)
    }

    private func row(_ renaming: Renaming, _ outcome: RenamingOutcome) -> RenumberedNumber? {
        switch outcome {
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
