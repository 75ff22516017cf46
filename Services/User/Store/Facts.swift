import InternalAPI
import Storage
import UserCore

/// Reads the facts for queries: on a server for all of them in one round trip, after one for the links that they name.
struct Facts {
    let reader: any StatementReader

    func callAsFunction(_ questions: [UserQuestion]) throws -> [UserFacts] {
        try self(questions, about: try links(of: questions))
    }

    /// - Parameter links: the links that the questions name, which are read again: another request may have used them meanwhile.
    func callAsFunction(_ questions: [UserQuestion], about links: [AccountLink?]) throws -> [UserFacts] {
        let parts = zip(questions, links).map { FactStatements($0, link: $1) }
        var results = try results(of: parts)[...]
        return try parts.map { part in
            defer { results = results.dropFirst(part.statements.count) }
            return try part.facts(from: results.prefix(part.statements.count))
        }
    }

    private func results(of parts: [FactStatements]) throws -> [Rows] {
        switch reader.kind {
        case .postgreSQL: try reader.results(parts.flatMap(\.statements))
        case .sqlite: try parts.flatMap { try $0.results(in: reader) }
        }
    }

    /// Returns the valid links that are queried, at the places of their queries.
    func links(of questions: [UserQuestion]) throws -> [AccountLink?] {
        let places = questions.indices.filter { if case .link = questions[$0].subject { true } else { false } }
        var links = [AccountLink?](repeating: nil, count: questions.count)
        guard !places.isEmpty else { return links }
        let statements = places.compactMap { place -> Statement? in
            guard case .link(let hash) = questions[place].subject else { return nil }
            return Self.link(hash, openAt: questions[place].askedAt)
        }
        for (place, rows) in zip(places, try reader.results(statements)) {
            guard case .link(let hash) = questions[place].subject else { continue }
            links[place] = try rows.first.flatMap { try Self.link(hash, $0) }
        }
        return links
    }

    static let link: SQL =
        "SELECT purpose, subject, address, created_at, expires_at FROM account_links WHERE hash = $1 AND expires_at > $2"

    static func link(_ hash: [UInt8], openAt now: Int64) -> Statement { Statement(link, hash, now) }

    static func link(_ hash: [UInt8], _ row: Row) throws -> AccountLink? {
        guard let purpose = AccountLink.Purpose(rawValue: row.text(0)) else { return nil }
        return AccountLink(
            hash: hash, purpose: purpose, subject: try row.userID(1), address: row.text(2), createdAt: row.integer(3),
            expiresAt: row.integer(4))
    }
}
