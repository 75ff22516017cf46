import Foundation

/// The content of the store: what it says of a session, and sign-outs that the server has not confirmed.
struct StoredItem: Sendable, Equatable {
    let content: Content
    let kept: [KeptSignOut]

    init(_ content: Content, kept: [KeptSignOut] = []) {
        self.content = content
        self.kept = kept
    }

    enum Content: Sendable, Equatable {
        /// Surely nothing: no user has ever signed in here.
        case nothing
        case record(SessionRecord)
        /// The last session ended. The item stays, so that a renewal that arrives late cannot bring the session back.
        case signedOut(StoreVersion, SignOutReason)
        /// An item that this release cannot use. It is kept until the next sign-in replaces it.
        case lost(epoch: UInt64)
    }

    /// The item's version; (0, 0) if there is none.
    var version: StoreVersion {
        switch content {
        case .nothing: .none
        case .record(let record): record.version
        case .signedOut(let version, _): version
        case .lost(let epoch): StoreVersion(epoch: epoch, generation: 0)
        }
    }
}

/// The format of the stored item: one JSON object of at most 4 KiB.
extension StoredItem {
    /// The format's version. A later release that adds members keeps `min` at 1 as long as this release can ignore them.
    private static let format: Int64 = 1
    private static let bytesMax = 4096

    /// Reads an item.
    /// - Parameter origin: the base URL; what another server has given is lost, since its tokens must not reach this one.
    init(_ data: Data?, origin: String) {
        guard let data else {
            self.init(.nothing)
            return
        }
        guard let version = StoreVersion(of: data), let members = JSONText.decode(data)?.members else {
            self.init(.lost(epoch: 0))
            return
        }
        let format = members["v"]?.whole ?? 0
        let isReadable = format == Self.format || format > Self.format && (members["min"]?.whole ?? format) <= 1
        let kept = (members["origin"]?.text ?? origin) == origin ? Self.kept(members["unconfirmed"]) : []
        if isReadable, let text = members["signedOut"]?.text {
            self.init(.signedOut(version, SignOutReason(rawValue: text) ?? .ended), kept: kept)
        } else if isReadable, let record = SessionRecord(members, version), record.origin == origin {
            self.init(.record(record), kept: kept)
        } else {
            self.init(.lost(epoch: version.epoch))
        }
    }

    private static func kept(_ json: JSONValue?) -> [KeptSignOut] {
        guard case .array(let values)? = json else { return [] }
        return values.compactMap(KeptSignOut.init)
    }

    /// The item as text. What can be fetched again is left out where it would be too long, and then what is kept.
    /// - Parameter origin: the base URL, to whose server the sign-outs belong.
    func encoded(origin: String) -> Data {
        var whole = members
        guard !whole.isEmpty else { return Data() }
        if !kept.isEmpty {
            whole["origin"] = .string(origin)
            whole["unconfirmed"] = .array(kept.map(\.json))
        }
        let drops: [Set<String>] = [[], ["user"], ["user", "accessToken", "unconfirmed"]]
        let texts = drops.lazy.map { dropped in JSONText.encode(.object(whole.filter { !dropped.contains($0.key) })) }
        return texts.first { $0.count <= Self.bytesMax } ?? JSONText.encode(.object(whole))
    }

    private var members: [String: JSONValue] {
        switch content {
        case .record(let record): record.members
        case .signedOut(let version, let reason):
            version.members.merging(["v": .integer(Self.format), "signedOut": .string(reason.rawValue)]) { $1 }
        case .nothing, .lost: [:]
        }
    }
}

extension StoreVersion {
    /// The version of an empty store.
    static let none = StoreVersion(epoch: 0, generation: 0)

    fileprivate var members: [String: JSONValue] {
        ["epoch": .integer(Int64(clamping: epoch)), "generation": .integer(Int64(clamping: generation))]
    }
}

extension SessionRecord {
    private static let known: Set<String> = [
        "v", "epoch", "generation", "origin", "secret", "refreshToken", "accessToken", "issuedAt", "expiresIn",
        "userID", "user", "proof", "isNewUser", "unconfirmed",
    ]

    fileprivate init?(_ members: [String: JSONValue], _ version: StoreVersion) {
        guard let origin = members["origin"]?.text, let secret = members["secret"]?.text,
            Base64URL.decode(secret)?.count == 32, let refresh = members["refreshToken"]?.text,
            let issued = members["issuedAt"]?.whole, let life = members["expiresIn"]?.whole,
            let userID = members["userID"]?.text, Tokens.lifetimes.contains(life), !refresh.isEmpty
        else { return nil }
        self.init(
            origin: origin, version: version, secret: secret, refreshToken: refresh,
            accessToken: members["accessToken"]?.text, issuedAt: issued, expiresIn: life, userID: userID,
            user: User(members["user"]), proof: members["proof"]?.text,
            isNewUser: members["isNewUser"] == .boolean(true), format: members["v"]?.whole ?? 1,
            others: members.filter { !Self.known.contains($0.key) })
    }

    fileprivate var members: [String: JSONValue] {
        var members = others.merging(version.members) { $1 }
        // A record that a later release wrote keeps its format, together with its other members.
        members["v"] = .integer(format)
        members["origin"] = .string(origin)
        members["secret"] = .string(secret)
        members["refreshToken"] = .string(refreshToken)
        members["accessToken"] = .optional(accessToken)
        members["issuedAt"] = .integer(issuedAt)
        members["expiresIn"] = .integer(expiresIn)
        members["userID"] = .string(userID)
        members["user"] = user?.json
        members["proof"] = .optional(proof)
        if isNewUser { members["isNewUser"] = .boolean(true) }
        return members
    }
}

extension Tokens {
    /// The lifetimes of an access token that are believed, in seconds: up to ten years.
    static let lifetimes: ClosedRange<Int64> = 1...315_360_000
}
