import InternalAPI
import Storage
import UserCore

/// The locks of a decision, which are taken before its facts are read: on the identities that its questions name, then on the users
/// who hold or claim these or are named by the questions, then on the calls and clients.
///
/// Two decisions that could make each other's facts untrue have a lock in common, so facts stay true until the commit.
struct Locks {
    private let questions: [UserQuestion]
    /// The links that the questions name.
    private let links: [AccountLink]

    init(_ questions: [UserQuestion], links: [AccountLink]) { (self.questions, self.links) = (questions, links) }

    static func of(_ identity: VerifiedIdentity) -> AdvisoryLock {
        AdvisoryLock(.identity, "\(identity.kind.rawValue) \(identity.value)")
    }

    static func of(_ user: UserID) -> AdvisoryLock { AdvisoryLock(.user, user.bytes) }

    private static func of(legacyID: String) -> AdvisoryLock { AdvisoryLock(.identity, "legacy \(legacyID)") }

    /// Takes the locks on a server. A file has one writer at a time.
    func take(in transaction: any Transaction) {
        guard transaction.kind == .postgreSQL else { return }
        transaction.lock(
            identities.map { Self.of($0) } + legacyIDs.map { Self.of(legacyID: $0) }
                + passkeys.map { AdvisoryLock(.identity, $0) })
        if let users = namingUsers { transaction.lock(.user, namedBy: users) }
        transaction.lock(
            questions.compactMap(\.call).map { AdvisoryLock(.part, $0.bytes) }
                + clients.map { AdvisoryLock(.part, "client \($0)") })
        if questions.contains(where: { $0.subject == .administrators }) {
            transaction.lock(AdvisoryLock(.whole, "administrators"))
        }
    }

    /// Selects the users that the questions are about, in one statement of PostgreSQL; `nil` if they name none.
    private var namingUsers: Statement? {
        var (parts, values): ([String], [SQLValue]) = ([], [])
        func place(_ value: SQLValue) -> String {
            values.append(value)
            return "$\(values.count)"
        }
        let (identities, addresses) = (identities, identities.filter { $0.kind == .email }.map(\.value))
        if identities.count == 1 {
            let (kind, value) = (place(.text(identities[0].kind.rawValue)), place(.text(identities[0].value)))
            parts.append("SELECT user_id FROM identities WHERE kind = \(kind) AND value = \(value)")
        } else if !identities.isEmpty {
            let (kinds, texts) = (
                place(.texts(identities.map(\.kind.rawValue))), place(.texts(identities.map(\.value)))
            )
            parts.append(
                """
                SELECT i.user_id FROM unnest(\(kinds)::text[], \(texts)::text[]) AS q (kind, value)
                    JOIN identities AS i ON i.kind = q.kind AND i.value = q.value
                """)
        }
        if !addresses.isEmpty {
            parts.append(
                "SELECT user_id FROM unverified_addresses WHERE address = ANY(\(place(.texts(addresses)))::text[])")
        }
        if !passkeys.isEmpty {
            parts.append("SELECT user_id FROM passkeys WHERE key = ANY(\(place(.byteStrings(passkeys)))::bytea[])")
        }
        if !legacyIDs.isEmpty {
            parts.append("SELECT id FROM users WHERE legacy_id = ANY(\(place(.texts(legacyIDs)))::text[])")
        }
        if !users.isEmpty { parts.append("SELECT unnest(\(place(.byteStrings(users.map(\.bytes))))::bytea[])") }
        guard !parts.isEmpty else { return nil }
        return Statement(SQL(parts.joined(separator: " UNION ALL ")), values)
    }

    private var identities: [VerifiedIdentity] {
        questions.compactMap { question in
            switch question.subject {
            case .identity(let identity), .atProvider(let identity): identity
            case .passkey, .link, .account, .identities, .user, .legacyID, .administrators, .client: nil
            }
        } + links.compactMap(\.identity)
    }

    private var passkeys: [[UInt8]] {
        questions.compactMap { if case .passkey(let key) = $0.subject { key } else { nil } }
    }

    private var legacyIDs: [String] {
        questions.compactMap { if case .legacyID(let text) = $0.subject { text } else { nil } }
    }

    private var clients: [String] {
        questions.compactMap { if case .client(let id) = $0.subject { id } else { nil } }
    }

    private var users: [UserID] {
        questions.compactMap { question in
            switch question.subject {
            case .account(let id), .identities(let id), .user(let id): id
            case .identity, .atProvider, .passkey, .link, .legacyID, .administrators, .client: nil
            }
        } + links.map(\.subject)
    }
}
