import InternalAPI
import PostgreSQL
import UserCore

/// Reads the facts for queries: for all of them in one round trip, and in one more for those about links.
struct Facts {
    let reader: any StatementReader

    func callAsFunction(_ questions: [UserQuestion]) throws -> [UserFacts] {
        let links = try links(of: questions)
        let parts = zip(questions, links).map { FactStatements($0, link: $1) }
        var results = try reader.results(parts.flatMap(\.statements))[...]
        return try zip(parts, links).map { part, link in
            defer { results = results.dropFirst(part.statements.count) }
            var facts = try part.facts(from: results.prefix(part.statements.count))
            facts.link = link
            return facts
        }
    }

    /// Returns the valid links that are queried, at the places of their queries.
    private func links(of questions: [UserQuestion]) throws -> [AccountLink?] {
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

    static func link(_ hash: [UInt8], openAt now: Int64) -> Statement {
        Statement(
            "SELECT purpose, subject, address, expires_at FROM account_links WHERE hash = $1 AND expires_at > $2", hash,
            now)
    }

    static func link(_ hash: [UInt8], _ row: Row) throws -> AccountLink? {
        guard let purpose = AccountLink.Purpose(rawValue: row.text(0)) else { return nil }
        return AccountLink(
            hash: hash, purpose: purpose, subject: try row.userID(1), address: row.text(2), expiresAt: row.integer(3))
    }
}
