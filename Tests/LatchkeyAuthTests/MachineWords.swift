import Foundation

@testable import LatchkeyAuth

/// The words of the rows: names, and `name=value` for what is not the rule. The time is 10,000 s; a token lives 3,600 s.
private struct Words {
    let names: [String]
    private let values: [String: String]

    init(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        names = parts.filter { !$0.contains("=") }
        let pairs = parts.compactMap { part in
            part.firstIndex(of: "=").map { (part[..<$0], part[part.index(after: $0)...]) }
        }
        values = Dictionary(pairs.map { (String($0.0), String($0.1)) }) { $1 }
    }

    subscript(name: String) -> String? { values[name] }
    func seconds(_ name: String) -> Duration? { values[name].flatMap(Double.init).map { .seconds($0) } }
    func name(_ index: Int) -> String { index < names.count ? names[index] : "" }
    func caller(_ index: Int) -> Int { Int(name(index)) ?? 0 }
    func version(_ index: Int) -> StoreVersion { StoreVersion(words: name(index)) }
}

private let present = Moment(now: .seconds(10_000), wall: 1_800_000_000)

extension StoreVersion {
    fileprivate init(words: String) {
        let parts = words.split(separator: ".").map { UInt64($0) ?? 0 }
        self.init(epoch: parts.first ?? 0, generation: parts.count > 1 ? parts[1] : 0)
    }

    fileprivate var words: String { "\(epoch).\(generation)" }
}

extension SessionRecord {
    fileprivate init(_ version: StoreVersion, age: Int64 = 0) {
        self.init(
            origin: "https://example.com", version: version, secret: "", refreshToken: "T\(version.words)",
            accessToken: "A\(version.words)", issuedAt: present.wall - age, expiresIn: 3600, userID: "usr_1")
    }
}

extension AuthError {
    fileprivate init(words: String) {
        self =
            switch words {
            case "offline": .offline
            case "timedOut": .timedOut
            case "untrustedServer": .untrustedServer
            case "notLatchkey": .notLatchkey
            case "rateLimited": .rateLimited(retryAfter: .seconds(120))
            case "storeUnavailable": .storeUnavailable(.unreadable)
            default: .unavailable(retryAfter: nil)
            }
    }

    fileprivate var words: String {
        switch self {
        case .signedOut(let reason): "signedOut" + (reason.map { ":\($0)" } ?? "")
        default: String("\(self)".prefix { $0 != "(" })
        }
    }
}

extension StoredItem {
    /// Such as `record 1.4 age=100`, `signedOut 5 asked`, `lost 3` or `nothing`, after some other words.
    fileprivate init(_ words: Words, from index: Int) {
        switch words.name(index) {
        case "record":
            self = .record(SessionRecord(words.version(index + 1), age: words["age"].flatMap { Int64($0) } ?? 0))
        case "signedOut":
            let reason = SignOutReason(rawValue: words.name(index + 2)) ?? .asked
            self = .signedOut(epoch: words.version(index + 1).epoch, reason)
        case "lost": self = .lost(epoch: words.version(index + 1).epoch)
        default: self = .nothing
        }
    }

    fileprivate var words: String {
        switch self {
        case .record(let record): record.version.words
        case .signedOut(let epoch, let reason): "signedOut \(epoch) \(reason)"
        case .nothing, .lost: "nothing"
        }
    }
}

extension MachineState {
    init?(words text: String) {
        let words = Words(text)
        self.init()
        switch words.name(0) {
        case "starting": phase = .starting
        case "unavailable": phase = .unavailable(.protectedData)
        case "signedOut":
            phase = .signedOut(
                epoch: words.version(1).epoch, SignOutReason(rawValue: words.name(2)), isStored: words["stored"] != "no"
            )
        case "signedIn": phase = .signedIn(SignedIn(words))
        default: return nil
        }
        isInBackground = words["background"] == "yes"
        let refused = words["refused"]
        waiters = (words["waiters"] ?? "").split(separator: ",").map { Waiter(caller: Int($0) ?? 0, refused: refused) }
    }

    var words: String {
        var parts: [String]
        switch phase {
        case .starting: parts = ["starting"]
        case .unavailable: parts = ["unavailable"]
        case .signedOut(let epoch, let reason, let isStored):
            parts = ["signedOut", "\(epoch)"] + (reason.map { ["\($0)"] } ?? []) + (isStored ? [] : ["stored=no"])
        case .signedIn(let session): parts = session.words
        }
        if !waiters.isEmpty { parts.append("waiters=\(waiters.map { "\($0.caller)" }.joined(separator: ","))") }
        return parts.joined(separator: " ")
    }
}

extension SignedIn {
    fileprivate init(_ words: Words) {
        let left = words.seconds("left") ?? .seconds(3600)
        let tries = words["tries"].flatMap { Int($0) } ?? 0
        let verdict = words["verdict"] ?? "ended"
        self.init(record: SessionRecord(words.version(1)), deadline: present.now + left, saved: .yes)
        switch words["saved"] {
        case "no": saved = .no
        case "saving": saved = .saving
        case "first": saved = .first(caller: 9, isNewUser: false, replaces: words["replaces"])
        default: saved = .yes
        }
        switch words["mode"] {
        case "looking": mode = .looking(tries: tries)
        case "flying": mode = .flying(tries: tries)
        case "doubting": mode = .doubting(Verdict(words: verdict), tries: tries, jitter: 0.5)
        case "waiting":
            let until = present.now + (words.seconds("until") ?? .seconds(2))
            mode = .waiting(until: until, fault: AuthError(words: words["fault"] ?? "offline"), tries: max(1, tries))
        default: mode = .idle
        }
        lastRotation = words.seconds("rotated").map { present.now - $0 }
        if words["resting"] == "yes" {
            isResting = true
            record.accessToken = nil
        }
    }

    fileprivate var words: [String] {
        let saved =
            switch saved {
            case .no: ["saved=no"]
            case .saving: ["saved=saving"]
            case .yes: [String]()
            case .first: ["saved=first"]
            }
        let mode =
            switch mode {
            case .idle: [String]()
            case .looking: ["mode=looking"]
            case .flying: ["mode=flying"]
            case .doubting: ["mode=doubting"]
            case .waiting(let until, let fault, _):
                ["mode=waiting", "until=\(Int((until - present.now) / .seconds(1)))", "fault=\(fault.words)"]
            }
        return ["signedIn", record.version.words] + saved + mode + (tries > 0 ? ["tries=\(tries)"] : [])
            + (isResting ? ["resting=yes"] : [])
    }
}

extension SignedIn.Verdict {
    fileprivate init(words: String) {
        self = words == "superseded" ? .superseded : .ended(SignOutReason(rawValue: words) ?? .ended)
    }
}

extension MachineEvent {
    init?(words text: String) {
        let words = Words(text)
        let user = User(.object(["id": .string("usr_1"), "name": .string("Ann")]))
        switch words.name(0) {
        case "read": self = .read(StoredItem(words, from: 1), present)
        case "unreadable": self = .unreadable(.protectedData, present)
        case "written": self = .written(words.version(1), present)
        case "found": self = .found(StoredItem(words, from: 2), insteadOf: words.version(1), present)
        case "unwritten": self = .unwritten(words.version(1), .unwritable, present)
        case "wanted": self = .wanted(caller: words.caller(1), validFor: words.seconds("validFor") ?? .zero, present)
        case "refusedByAPI": self = .refusedByAPI(caller: words.caller(1), token: words.name(2), present)
        case "cancelled": self = .cancelled(caller: words.caller(1))
        case "signedIn":
            let record = SessionRecord(StoreVersion(epoch: 0, generation: 1))
            self = .signedIn(caller: words.caller(1), record, isNewUser: false, present)
        case "signOutAsked": self = .signOutAsked(caller: words.caller(1), words.name(2) == "all" ? .all : .thisSession)
        case "deleted": self = .deleted
        case "userChanged":
            guard let user else { return nil }
            self = .userChanged(user)
        case "rotated":
            let tokens = Tokens(
                accessToken: "new access", refreshToken: "new refresh", expiresIn: Int64(words["life"] ?? "") ?? 3600)
            self = .rotated(words.version(1), tokens, present)
        case "failed": self = .failed(words.version(1), AuthError(words: words.name(2)), jitter: 0.5, present)
        case "refused": self = .refused(words.version(1), .init(words: words.name(2)), jitter: 0.5, present)
        case "foreground", "background", "networkBack", "protectedDataThere":
            guard let change = Change(rawValue: words.name(0)) else { return nil }
            self = .changed(change, jitter: 0.5, present)
        case "woke": self = .woke(present)
        default: return nil
        }
    }
}

extension MachineAction {
    var words: String {
        switch self {
        case .read: "read"
        case .write(let item): "write \(item.words)"
        case .renew(let record): "renew \(record.version.words)"
        case .answer(let caller, .success(let text)): "give \(caller) \(text)".trimmingCharacters(in: .whitespaces)
        case .answer(let caller, .failure(let error)): "refuse \(caller) \(error.words)"
        case .emit(.signedOut(let reason)): "emit signedOut:\(reason)"
        case .emit(let event): "emit " + "\(event)".prefix { $0 != "(" }
        case .signOutOnServer(let token, let scope, let caller):
            "signOutOnServer \(token) \(scope)" + (caller.map { " \($0)" } ?? "")
        case .wake: "wake"
        }
    }
}
