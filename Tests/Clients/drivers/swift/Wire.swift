import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting

/// A line from the runner: a call, or its answer to a question about the store.
struct Message: Decodable, Sendable {
    var id: Int?, reply: Int?
    var now: Double?, wall: Double?
    var `do`: String?
    var item: String?, trouble: String?
    var base: String?, phone: String?, email: String?, code: String?, link: String?, password: String?, name: String?
    var passkey: String?, totp: String?, recoveryCode: String?, credential: String?, told: Bool?
    var token: String?, path: String?, scope: String?, change: String?, minimum: Double?, early: Double?, body: String?,
        cancels: Int?, region: String?, kept: String?, headers: [String: String]?, stream: Bool?, newAccount: Bool?,
        response: Response?

    /// The response to a sign-in.
    struct Response: Codable, Sendable {
        var user: [String: String]
        var tokens: Tokens
    }
    struct Tokens: Codable, Sendable { var accessToken: String, refreshToken: String, expiresIn: Int }
}

/// A line to the runner.
struct Line: Encodable, Sendable {
    var id: Int?, ok: String?, error: String?, event: String?
    var ask: Int?, what: String?, item: String?, epoch: UInt64?, generation: UInt64?, page: String?,
        options: String?
}

/// The standard output, one line at a time, and the questions that wait for an answer.
final class Wire: Sendable {
    private struct Pending: Sendable {
        var last = 0
        var replies: [Int: Message] = [:]
    }
    private let condition = NSCondition()
    nonisolated(unsafe) private var pending = Pending()  // Touched only while `condition` is locked.

    func tell(_ line: Line) {
        condition.withLock {
            let data = (try? JSONEncoder().encode(line)) ?? Data()
            FileHandle.standardOutput.write(data + Data("\n".utf8))
        }
    }

    /// Asks the runner, which has the store, and waits for its answer.
    func ask(_ line: Line) -> Message {
        let id = condition.withLock {
            unsafe pending.last += 1
            return unsafe pending.last
        }
        var line = line
        line.ask = id
        tell(line)
        condition.lock()
        defer { condition.unlock() }
        while unsafe pending.replies[id] == nil { condition.wait() }
        return unsafe pending.replies.removeValue(forKey: id) ?? Message()
    }

    func answered(_ id: Int, _ message: Message) {
        condition.withLock {
            unsafe pending.replies[id] = message
            condition.broadcast()
        }
    }
}

/// The runner's store: one item, which several processes share.
struct RunnerStore: SessionStore {
    let wire: Wire

    func load() throws(StoreFailure) -> Data? { try item(wire.ask(Line(what: "load"))) }

    func keepNewer(_ data: Data, version: StoreVersion) throws(StoreFailure) -> Data? {
        let text = String(decoding: data, as: UTF8.self)
        return try item(
            wire.ask(Line(what: "keep", item: text, epoch: version.epoch, generation: version.generation)))
    }

    private func item(_ message: Message) throws(StoreFailure) -> Data? {
        switch message.trouble {
        case nil: return message.item.map { Data($0.utf8) }
        case "unwritable": throw StoreFailure(.unwritable)
        case "denied": throw StoreFailure(.denied(13))
        default: throw StoreFailure(.protectedData)
        }
    }
}

/// The runner's browser: it loads a page, and says with which link the page comes back.
struct RunnerBrowser: Browser {
    let wire: Wire

    func open(_ page: URL, returningTo redirect: URL) async throws -> URL {
        let (replies, reply) = AsyncStream<Message>.makeStream()
        Thread.detachNewThread { [wire] in reply.yield(wire.ask(Line(what: "open", page: page.absoluteString))) }
        for await message in replies {
            guard let link = message.link.flatMap({ URL(string: $0) }) else { throw AuthError.cancelled }
            return link
        }
        throw CancellationError()
    }
}

extension Event {
    /// The event in the words of the scenarios.
    var word: String {
        switch self {
        case .restored: "restored"
        case .signedIn(let isNewUser): isNewUser ? "signedIn:new" : "signedIn"
        case .newDevice: "newDevice"
        case .renewed: "renewed"
        case .renewalDeferred(let error, _): "deferred:\(error.word)"
        case .userChanged: "userChanged"
        case .signedOut(let reason): "signedOut:\(reason)"
        case .signedOutOnServer(let isConfirmed): isConfirmed ? "server:confirmed" : "server:unconfirmed"
        case .storeFailed: "storeFailed"
        }
    }
}

extension AuthError {
    /// The error in the words of the scenarios.
    var word: String {
        switch self {
        case .signedOut(let reason): reason.map { "signedOut:\($0)" } ?? "signedOut"
        case .invalid(let field, let code): "invalid:\(field):\(code)"
        case .codeRefused(let reason): "codeRefused" + (reason.map { ":\($0)" } ?? "")
        case .rateLimited(let limit, _): "rateLimited" + (limit.map { ":\($0)" } ?? "")
        case .refused(let status, let code, _): "refused:\(status):\(code)"
        case .identityInUse(let token): "identityInUse" + (token == nil ? "" : ":mergeable")
        case .deletionScheduled(let token): "deletionScheduled" + (token == nil ? "" : ":restorable")
        case .phoneChangePending(let date):
            "phoneChangePending" + (date.map { ":\(Int($0.timeIntervalSince1970))" } ?? "")
        case .secondIdentityRequired(let methods): "secondIdentityRequired:" + methods.joined(separator: "+")
        case .secondFactorRequired(_, let methods): "secondFactorRequired:" + methods.joined(separator: "+")
        case .mergeProofRequired(let methods): "mergeProofRequired:" + methods.joined(separator: "+")
        default: String("\(self)".prefix { $0 != "(" })
        }
    }
}

extension SignIn {
    /// The sign-in in the words of the scenarios.
    var word: String { "signedIn" + (isNewUser ? ":new" : "") + (wasRestored ? ":restored" : "") }
}

extension State {
    /// The state in the words of the scenarios.
    var word: String {
        switch self {
        case .starting: "starting"
        case .unavailable: "unavailable"
        case .signedOut(let reason): reason.map { "signedOut:\($0)" } ?? "signedOut"
        case .signedIn(let session):
            switch session.freshness {
            case .fresh: "signedIn:fresh"
            case .renewing: "signedIn:renewing"
            case .overdue(let error): "signedIn:overdue:\(error.word)"
            }
        }
    }
}

/// A value behind a lock.
final class TestBox<Value: Sendable>: @unchecked Sendable {
    private var value: Value  // Touched only while the lock is held.
    private let lock = NSLock()

    init(_ value: Value) { self.value = value }

    func change<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}
