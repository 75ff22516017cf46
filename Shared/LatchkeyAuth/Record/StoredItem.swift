import Foundation

/// The content of the store.
enum StoredItem: Sendable, Equatable {
    /// Surely nothing: no user has ever signed in here.
    case nothing
    case record(SessionRecord)
    /// The last session ended. The item stays, so that a renewal that arrives late cannot bring the session back.
    case signedOut(epoch: UInt64, SignOutReason)
    /// An item that this release cannot use. It is kept until the next sign-in replaces it.
    case lost(epoch: UInt64)

    /// The item's version; (0, 0) if there is none.
    var version: StoreVersion {
        switch self {
        case .nothing: StoreVersion(epoch: 0, generation: 0)
        case .record(let record): record.version
        case .signedOut(let epoch, _), .lost(let epoch): StoreVersion(epoch: epoch, generation: 0)
        }
    }
}

/// The format of the stored item: one JSON object of at most 4 KiB.
extension StoredItem {
    /// The format's version. A later release that adds members keeps `min` at 1 as long as this release can ignore them.
    private static let format: Int64 = 1
    private static let bytesMax = 4096

    /// Reads an item.
    /// - Parameter origin: the base URL; the record of another server is lost, since its tokens must not reach this one.
    init(_ data: Data?, origin: String) {
        guard let data else {
            self = .nothing
            return
        }
        guard let version = StoreVersion(of: data), let members = JSONText.decode(data)?.members else {
            self = .lost(epoch: 0)
            return
        }
        let format = members["v"]?.whole ?? 0
        let isReadable = format == Self.format || format > Self.format && (members["min"]?.whole ?? format) <= 1
        if isReadable, let text = members["signedOut"]?.text {
            self = .signedOut(epoch: version.epoch, SignOutReason(rawValue: text) ?? .ended)
        } else if isReadable, let record = SessionRecord(members, version), record.origin == origin {
            self = .record(record)
        } else {
            self = .lost(epoch: version.epoch)
        }
    }

    /// The item as text. What can be fetched again is left out where it would be too long.
    func encoded() -> Data {
        switch self {
        case .record(let record):
            let drops: [[String]] = [[], ["user"], ["user", "accessToken"]]
            let texts = drops.lazy.map { JSONText.encode(.object(record.members(without: $0))) }
            return texts.first { $0.count <= Self.bytesMax } ?? JSONText.encode(.object(record.members(without: [])))
        case .signedOut(let epoch, let reason):
            return JSONText.encode([
                "v": .integer(Self.format), "epoch": .integer(Int64(clamping: epoch)), "generation": .integer(0),
                "signedOut": .string(reason.rawValue),
            ])
        case .nothing, .lost: return Data()
        }
    }
}

extension JSONText {
    static func encode(_ members: [String: JSONValue]) -> Data { encode(JSONValue.object(members)) }
}

extension SessionRecord {
    private static let known: Set<String> = [
        "v", "epoch", "generation", "origin", "secret", "refreshToken", "accessToken", "issuedAt", "expiresIn",
        "userID",
        "user",
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
            user: User(members["user"]), format: members["v"]?.whole ?? 1,
            others: members.filter { !Self.known.contains($0.key) })
    }

    fileprivate func members(without dropped: [String]) -> [String: JSONValue] {
        var members = others
        // A record that a later release wrote keeps its format, together with its other members.
        members["v"] = .integer(format)
        members["epoch"] = .integer(Int64(clamping: version.epoch))
        members["generation"] = .integer(Int64(clamping: version.generation))
        members["origin"] = .string(origin)
        members["secret"] = .string(secret)
        members["refreshToken"] = .string(refreshToken)
        members["accessToken"] = .optional(accessToken)
        members["issuedAt"] = .integer(issuedAt)
        members["expiresIn"] = .integer(expiresIn)
        members["userID"] = .string(userID)
        members["user"] = user?.json
        for name in dropped { members[name] = nil }
        return members
    }
}

extension Tokens {
    /// The lifetimes of an access token that are believed, in seconds: up to ten years.
    static let lifetimes: ClosedRange<Int64> = 1...315_360_000
}
