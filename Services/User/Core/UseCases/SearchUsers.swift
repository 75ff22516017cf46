import CryptoPrimitives
import InternalAPI

/// Finds users for an administrator: by an id, by a phone number or an email address or its beginning, or all of them.
///
/// Each user who is shown has a record in the audit, which is durable before the users are shown.
struct SearchUsers: Sendable {
    var store: any UserStore
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules
    /// The region of phone numbers without a calling code, or `nil` if they are invalid.
    let defaultRegion: String?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Users, and the cursor of the next page.
    private typealias Found = (users: [SeenUser], next: String?)

    /// - Throws: `InvalidInput` for a member of the request; `StorageError`.
    func callAsFunction(_ request: SearchUsersRequest, requestID: String?) async throws -> UserPage {
        guard (1...SearchUsersRequest.usersMax).contains(request.limit) else { throw InvalidInput.page("limit") }
        let found = try await found(request)
        let origin = RequestOrigin.byOperator(requestID)
        let purpose = request.search == nil ? "list" : "search"
        let records = found.users.map { AuditEntry.lookUp(purpose, of: $0.user, origin) }
        try await store.note(
            (records.isEmpty ? [.lookUp("\(purpose): 0", origin)] : records).map { .audit($0) }, now: now())
        return UserPage(
            users: found.users.map { seen in
                var summary = UserSummary(seen, idPrefix: userIDPrefix, attributes: attributes)
                if request.offset != nil { summary.metadata = seen.user.metadata.orNil }
                return summary
            },
            next: found.next, total: request.offset == nil ? nil : Int(clamping: try await queries.counts().users))
    }

    private func found(_ request: SearchUsersRequest) async throws -> Found {
        guard let text = request.search else { return try await page(request) }
        guard request.changedSince == nil else { throw InvalidInput(member: "changedSince") }
        switch try UserSearch(text, region: defaultRegion, idPrefix: userIDPrefix) {
        case .id(let id): return (try await queries.find(.id(id)).map { [$0] } ?? [], nil)
        case .beginning(let beginning):
            let last = try request.cursor.map(Self.value)
            let found = try await queries.search(beginning, after: last, limit: request.limit)
            let next = found.count == request.limit ? found.last.map { Self.cursor($0.value) } : nil
            return (found.map(\.user), next)
        }
    }

    private func page(_ request: SearchUsersRequest) async throws -> Found {
        if let offset = request.offset {
            guard offset >= 0 else { throw InvalidInput.page("offset") }
            return (try await queries.page(after: offset, limit: request.limit), nil)
        }
        let last = try PageRequest.last(request.cursor, idPrefix: userIDPrefix)
        guard let since = request.changedSince else {
            let users = try await queries.page(behind: last, limit: request.limit)
            return (users, users.count == request.limit ? users.last?.user.id.text(prefix: userIDPrefix) : nil)
        }
        let (users, next) = try await queries.changed(since: since, behind: last, limit: request.limit)
        return (users, next?.text(prefix: userIDPrefix))
    }

    private static func cursor(_ value: String) -> String { Base64URL.encode(Array(value.utf8)) }

    private static func value(_ cursor: String) throws(InvalidInput) -> String {
        guard cursor.utf8.count <= UserSearch.bytesMax * 2, let bytes = Base64URL.decode(cursor),
            let value = String(validating: bytes, as: UTF8.self), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .page("cursor") }
        return value
    }
}

/// The meaning of the text for which an administrator searches.
enum UserSearch: Sendable, Equatable {
    case id(UserID)
    case beginning(IdentityBeginning)

    /// The greatest length of a text: that of an email address.
    static let bytesMax = 254
    /// The least length of a beginning, so that a search is one for a person.
    static let lengthMin = 3

    /// - Parameter region: the region of phone numbers without a calling code, or `nil` if they are invalid.
    /// - Throws: `InvalidInput` for a text that no id, phone number or email address begins with.
    init(_ text: String, region: String?, idPrefix: String) throws(InvalidInput) {
        if let id = UserID(text: text, prefix: idPrefix) {
            self = .id(id)
        } else if text.utf8.count <= Self.bytesMax, let whole = VerifiedIdentity(typed: text, region: region) {
            self = .beginning(IdentityBeginning(kind: whole.kind, text: whole.value))
        } else if let beginning = Self.beginning(text) {
            self = .beginning(beginning)
        } else {
            throw InvalidInput(
                "Search for an id, or for at least \(Self.lengthMin) characters of a phone number with + and calling "
                    + "code, or of an email address", member: "search")
        }
    }

    private static func beginning(_ text: String) -> IdentityBeginning? {
        guard text.utf8.count <= bytesMax else { return nil }
        let bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "+") {
            let digits = bytes.dropFirst().filter { !" ()-.".utf8.contains($0) }
            guard digits.count >= lengthMin, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return IdentityBeginning(kind: .phone, text: "+" + String(decoding: digits, as: UTF8.self))
        }
        guard bytes.count >= lengthMin, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return IdentityBeginning(kind: .email, text: text.lowercased())
    }
}
