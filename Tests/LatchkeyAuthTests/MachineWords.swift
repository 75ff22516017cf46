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
            case "rateLimited": .rateLimited(nil, retryAfter: .seconds(120))
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

extension StoreVersion {
    /// The version of a sign-out, without a generation of 0.
    fileprivate var epochWords: String { generation == 0 ? "\(epoch)" : words }
}

extension KeptSignOut {
    /// Such as `A1.3@-9` or `T1.3/all`.
    fileprivate init(words: Substring) {
        let parts = words.split(separator: "@")
        let token = String(parts.first?.split(separator: "/").first ?? "")
        self.init(
            token: token.hasPrefix("T") ? .refresh(token) : .access(token), isEverywhere: words.contains("/all"),
            since: present.wall + (parts.count > 1 ? Int64(parts[1]) ?? 0 : 0))
    }

    fileprivate static func list(_ words: String?) -> [KeptSignOut] {
        (words ?? "").split(separator: ",").map(KeptSignOut.init(words:))
    }

    fileprivate var words: String {
        let name =
            switch token {
            case .access(let token), .refresh(let token): token
            }
        return name + (isEverywhere ? "/all" : "") + (since == present.wall ? "" : "@\(since - present.wall)")
    }
}

extension [KeptSignOut] {
    fileprivate var words: [String] { isEmpty ? [] : ["kept=\(map(\.words).joined(separator: ","))"] }
}

extension StoredItem {
    /// Such as `record 1.4 age=100`, `signedOut 5 asked`, `lost 3` or `nothing`, after some other words.
    fileprivate init(_ words: Words, from index: Int) {
        let kept = KeptSignOut.list(words["kept"])
        switch words.name(index) {
        case "record":
            let age = words["age"].flatMap { Int64($0) } ?? 0
            self.init(.record(SessionRecord(words.version(index + 1), age: age)), kept: kept)
        case "signedOut":
            let reason = SignOutReason(rawValue: words.name(index + 2)) ?? .asked
            self.init(.signedOut(words.version(index + 1), reason), kept: kept)
        case "lost": self.init(.lost(epoch: words.version(index + 1).epoch))
        default: self.init(.nothing)
        }
    }

    fileprivate var words: String {
        let content =
            switch content {
            case .record(let record): record.version.words
            case .signedOut(let version, let reason): "signedOut \(version.epochWords) \(reason)"
            case .nothing, .lost: "nothing"
            }
        return ([content] + kept.words).joined(separator: " ")
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
                words.version(1), SignOutReason(rawValue: words.name(2)), isStored: words["stored"] != "no")
        case "signedIn": phase = .signedIn(SignedIn(words))
        default: return nil
        }
        isInBackground = words["background"] == "yes"
        kept = KeptSignOut.list(words["kept"])
        let refused = words["refused"]
        waiters = (words["waiters"] ?? "").split(separator: ",").map { Waiter(caller: Int($0) ?? 0, refused: refused) }
    }

    var words: String {
        var parts: [String]
        switch phase {
        case .starting: parts = ["starting"]
        case .unavailable: parts = ["unavailable"]
        case .signedOut(let version, let reason, let isStored):
            parts =
                ["signedOut", version.epochWords] + (reason.map { ["\($0)"] } ?? []) + (isStored ? [] : ["stored=no"])
        case .signedIn(let session): parts = session.words
        }
        parts += kept.words
        if !waiters.isEmpty { parts.append("waiters=\(waiters.map(\.caller).words)") }
        return parts.joined(separator: " ")
    }
}

extension [Int] {
    fileprivate var words: String { map { "\($0)" }.joined(separator: ",") }
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
        case "first":
            let callers = (words["callers"] ?? "9").split(separator: ",").compactMap { Int($0) }
            let replaces = (words["replaces"] ?? "").split(separator: ",").map(String.init)
            saved = .first(FirstSave(callers: callers, replaces: replaces))
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
        isHurried = words["hurried"] == "yes"
        outdated = words["outdated"].flatMap { UInt64($0) } ?? 0
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
            case .first(let first):
                ["saved=first"] + (first.callers.count > 1 ? ["callers=\(first.callers.words)"] : [])
                    + (first.replaces.count > 1 ? ["replaces=\(first.replaces.joined(separator: ","))"] : [])
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
            + (outdated > 0 ? ["outdated=\(outdated)"] : []) + (outdated > 0 && isHurried ? ["hurried=yes"] : [])
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
            var record = SessionRecord(StoreVersion(epoch: 0, generation: 1))
            if !words.name(2).isEmpty { record.refreshToken = words.name(2) }
            self = .signedIn(caller: words.caller(1), record, present)
        case "signOutAsked":
            self = .signOutAsked(caller: words.caller(1), everywhere: words.name(2) == "all", present)
        case "signOutConfirmed": self = .signOutConfirmed(since: KeptSignOut(words: words.name(1)[...]).since)
        case "over": self = .over(SignOutReason(rawValue: words.name(1)) ?? .asked)
        case "outdated": self = .outdated
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
        case .signOutOnServer(let token, let kept, let caller):
            "signOutOnServer \(token) \(kept.isEverywhere ? "all" : "thisSession") \(caller)"
        case .makeGood(let kept): "makeGood \(kept.words)"
        case .giveBack(let token): "signOutOnServer \(token) thisSession"
        case .wake: "wake"
        }
    }
}
