/// The place in an export at which a page goes on.
struct ExportPlace: Codable, Sendable, Equatable {
    /// The data of each account that are read page by page, in this order.
    enum Part: Int, Codable, Sendable { case decisions, records, sessions, tokenRecords }

    /// The user's own account, or one that was merged into it.
    let account: UserID
    let part: Part
    /// The row at which the last page ended; `nil` at the beginning of the part.
    let row: Int64?

    init(_ account: UserID, _ part: Part = .decisions, row: Int64? = nil) {
        (self.account, self.part, self.row) = (account, part, row)
    }

    /// Returns the place after a part of a page, or `nil` at the end of the export.
    ///
    /// - Parameters:
    ///   - row: where the part goes on, or `nil` at its end.
    ///   - accounts: all accounts, in their order.
    func next(_ row: Int64?, of accounts: [UserID]) -> ExportPlace? {
        if let row { return ExportPlace(account, part, row: row) }
        if let next = Part(rawValue: part.rawValue + 1) { return ExportPlace(account, next) }
        let others = accounts.drop { $0 != account }.dropFirst()
        return others.first.map { ExportPlace($0) }
    }
}
