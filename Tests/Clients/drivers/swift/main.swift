import Dispatch
import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The library under the conformance suite: its public client, with store and clock in the hands of the runner. Reads and writes
// JSON lines.

/// The features of this library that others may lack yet; README.md has the list.
private let features = [
    "one proof", "kept sign-out", "inactive account", "prepared code", "invalid member", "own requests", "reasons",
    "silent store", "reads at 401", "browser", "browser in one call",
    "take over", "passkeys", "told passkeys", "second factor",
]

/// The client, and what the calls leave for each other.
final class Driver: Sendable {
    private static let redirect = URL(string: "com.example.app:/signed-in") ?? URL(fileURLWithPath: "/")
    private let auth: LatchkeyAuth
    private let wire: Wire
    private let surroundings: TestSurroundings
    private let pending = TestBox<PendingCode?>(nil)
    /// The app's question who the user is, until it is answered or closed.
    private let question = TestBox<CheckedContinuation<Bool, Never>?>(nil)
    /// The token of the last error that had one.
    private let mergeToken = TestBox<MergeToken?>(nil)
    private let restoreToken = TestBox<RestoreToken?>(nil)
    private let mfaToken = TestBox<MfaToken?>(nil)
    private let tasks = TestBox<[Int: Task<Void, Never>]>([:])

    init(base: String, early: Double?, told: Bool, _ wire: Wire, _ clock: TestClock) {
        var configuration = LatchkeyAuth.Configuration(baseURL: URL(string: base) ?? URL(fileURLWithPath: "/"))
        surroundings = TestSurroundings()
        configuration.store = makeStore(wire)
        configuration.clock = clock
        configuration.surroundings = surroundings
        configuration.deviceName = "driver"
        configuration.installationID = "installation"
        configuration.browser = RunnerBrowser(wire: wire)
        configuration.passkeys = RunnerPasskeys(wire: wire, takesReports: told)
        configuration.webRedirects = [Self.redirect]
        if let early { configuration.early = .seconds(early) }
        configuration.log = { line in FileHandle.standardError.write(Data("\(line)\n".utf8)) }
        let (gate, opening) = AsyncStream<Void>.makeStream()
        configuration.transport = ListeningTransport(
            transport: configuration.transport, listening: Task { for await _ in gate {} })
        auth = LatchkeyAuth(configuration)
        self.wire = wire
        let events = auth.events
        opening.finish()
        Task { for await event in events { wire.tell(Line(event: event.word)) } }
    }

    func handle(_ call: Message) {
        guard let id = call.id else { return }
        if let cancelled = call.cancels { tasks.change { $0[cancelled] }?.cancel() }
        let task = Task {
            do throws(AuthError) {
                self.wire.tell(Line(id: id, ok: try await self.answer(call)))
            } catch {
                if case .identityInUse(let token?) = error { self.mergeToken.change { $0 = token } }
                if case .deletionScheduled(let token?) = error { self.restoreToken.change { $0 = token } }
                if case .secondFactorRequired(let token, _) = error { self.mfaToken.change { $0 = token } }
                // An app would log the error like this. The runner searches the output for secrets.
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                self.wire.tell(Line(id: id, error: error.word))
            }
        }
        tasks.change { $0[id] = task }
    }

    private func answer(_ call: Message) async throws(AuthError) -> String {
        switch call.do {
        case "features": return features.joined(separator: ",")
        case "start":
            for await state in auth.states where state != .starting { return state.word }
            return auth.state.word
        case "state": return auth.state.word
        case "accessToken": return try await auth.accessToken(validFor: .seconds(call.minimum ?? 0))
        case "refused": return try await auth.accessToken(insteadOf: call.token ?? "")
        case "prepareCode", "requestCode", "requestIdentityCode", "resend", "keepCode", "takeCode":
            return try await code(call)
        case "prepareBrowser", "openBrowser", "finishSignIn": return try await browser(call)
        case "signIn", "signInPassword", "signInApple", "signInProvider", "signInBrowser", "takeOver",
            "adopt", "restore", "signInWithPasskey", "signInWithSecondFactor":
            return try await signIn(call).word
        case "signOut":
            let result = await auth.signOut(call.scope == "all" ? .all : .thisSession)
            let words = [result.isStored ? "stored" : "unstored", result.isConfirmed ? "confirmed" : "unconfirmed"]
            return ([auth.state.word] + words).joined(separator: ":")
        case "data": return try await data(call)
        case "change":
            if let change = call.change.flatMap(Change.init(rawValue:)) { surroundings.change(change) }
            return "changed"
        case "sleeping":
            await clock.waitForSleepers()
            return "sleeping"
        default: return try await person(call)
        }
    }

    private func code(_ call: Message) async throws(AuthError) -> String {
        let known = pending.change { $0 }
        let prepared =
            if let email = call.email { auth.prepareCode(email: email) } else {
                auth.prepareCode(phone: call.phone ?? "", region: call.region ?? "US")
            }
        switch call.do {
        case "keepCode": return (try? JSONEncoder().encode(known)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        case "takeCode":
            let kept = try? JSONDecoder().decode(PendingCode.self, from: Data((call.kept ?? "").utf8))
            pending.change { $0 = kept }
            return "taken"
        case "prepareCode":
            pending.change { $0 = prepared }
            return "prepared"
        case "resend":
            guard let known else { throw .codeRefused(nil) }
            let sent = try await auth.resend(known)
            pending.change { $0 = sent }
        default:
            let isNew = call.email != nil || call.phone != nil
            let wanted = isNew ? prepared : known ?? prepared
            let sent =
                call.do == "requestCode"
                ? try await auth.requestCode(wanted) : try await auth.requestIdentityCode(wanted)
            pending.change { $0 = sent }
        }
        return "sent"
    }

    private func signIn(_ call: Message) async throws(AuthError) -> SignIn {
        switch call.do {
        case "signInPassword":
            return try await auth.signInWithPassword(email: call.email ?? "", password: call.password ?? "")
        case "signInApple": return try await auth.signInWithApple(AppleCredential(identityToken: call.token ?? ""))
        case "signInProvider":
            return try await auth.signInWithProvider(call.name ?? "", identityToken: call.token ?? "")
        case "signInBrowser": return try await auth.signInWithBrowser(call.name ?? "")
        case "signInWithPasskey": return try await auth.signInWithPasskey()
        case "signInWithSecondFactor":
            return try await auth.signInWithSecondFactor(mfaToken.change { $0 } ?? MfaToken(""), factor(call))
        case "takeOver":
            guard let signIn = try await auth.takeOver(call.token ?? "") else {
                throw .refused(status: 0, code: "signed_in", requestID: nil)
            }
            return signIn
        case "restore":
            let token = call.token.map(RestoreToken.init) ?? restoreToken.change { $0 }
            return try await auth.restore(token ?? RestoreToken(""))
        case "adopt": return try await auth.adopt((try? JSONEncoder().encode(call.response)) ?? Data())
        default: break
        }
        guard let pending = pending.change({ $0 }) else { throw .codeRefused(nil) }
        if let link = call.link.flatMap(URL.init(string:)) { return try await auth.signInWithLink(pending, link) }
        return try await auth.signIn(
            pending, code: call.code ?? "", name: call.name, newAccount: call.newAccount ?? false)
    }

    private func browser(_ call: Message) async throws(AuthError) -> String {
        if call.do == "prepareBrowser" {
            let pending = try auth.prepareBrowser(call.name ?? "", redirect: Self.redirect)
            return (try? JSONEncoder().encode(pending)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        guard let pending = try? JSONDecoder().decode(PendingBrowser.self, from: Data((call.kept ?? "").utf8)) else {
            throw .refused(status: 0, code: "nothing_kept", requestID: nil)
        }
        if call.do == "openBrowser" {
            return wire.ask(Line(what: "open", page: try auth.urlOf(pending).absoluteString)).link ?? "closed"
        }
        guard let link = call.link.flatMap({ URL(string: $0) }) else { return "another link" }
        return try await auth.finishSignIn(pending, link).map { $0.isNewUser ? "signedIn:new" : "signedIn" }
            ?? "another link"
    }

    private func data(_ call: Message) async throws(AuthError) -> String {
        guard let url = URL(string: (call.base ?? "") + (call.path ?? "")) else { throw .offline }
        var request = URLRequest(url: url)
        for (name, value) in call.headers ?? [:] { request.setValue(value, forHTTPHeaderField: name) }
        if let body = call.body.map({ Data($0.utf8) }) {
            request.httpMethod = "POST"
            if call.stream == true { request.httpBodyStream = InputStream(data: body) } else { request.httpBody = body }
        }
        return String(try await auth.data(for: request).1.statusCode)
    }

    private func person(_ call: Message) async throws(AuthError) -> String {
        switch call.do {
        case "user": return auth.user?.name ?? "nil"
        case "reload": return try await auth.reloadUser().name ?? "nil"
        case "update": return try await auth.update(name: call.name).name ?? "nil"
        case "sessions": return try await String(auth.sessions().count)
        case "exportData": return String(decoding: try await auth.exportData(), as: UTF8.self)
        case "endSession": try await auth.endSession(call.name ?? "")
        case "endOthers": await auth.signOut(.others)
        case "changePassword": try await auth.changePassword(from: call.password ?? "", to: call.name ?? "")
        case "delete": try await auth.deleteAccount(password: call.password)
        case "register": try await auth.register(email: call.email ?? "", password: call.password ?? "")
        case "forgot": try await auth.forgotPassword(email: call.email ?? "")
        case "discover": return try await auth.discover().codeLength.map { "codes:\($0)" } ?? "unknown"
        case "identities":
            let all = try await auth.identities()
            let words = all.identities.map { $0.provider.map { [$0] } ?? [] }
            let names = zip(all.identities, words).map { ([$0.kind] + $1).joined(separator: " ") }
            let pending = all.pendingPhone.map { "pending \($0.lastDigits) \(Int($0.movesAt.timeIntervalSince1970))" }
            let merge = all.pendingMerge.map { merge in
                "merge \(merge.isIntoAnother ? "into" : "of") another \(Int(merge.movesAt.timeIntervalSince1970))"
            }
            return (names + (all.hasPassword ? ["password"] : []) + [pending, merge].compactMap(\.self))
                .joined(separator: ",")
        case "addWithBrowser": try await auth.addWithBrowser(call.name ?? "")
        case "mergeLater":
            let date = try await auth.mergeLater(MergeToken(call.token ?? ""))
            return date.map { "waits \(Int($0.timeIntervalSince1970))" } ?? "done"
        default: return try await passkey(call)
        }
        return "done"
    }

    private func passkey(_ call: Message) async throws(AuthError) -> String {
        switch call.do {
        case "addPasskey":
            let date = try await auth.addPasskey(name: call.name).activeFrom
            return date.map { "waits \(Int($0.timeIntervalSince1970))" } ?? "added"
        case "passkeys": return try await auth.passkeys().map { "\($0.id) \($0.name)" }.joined(separator: ",")
        case "renamePasskey": try await auth.renamePasskey(call.passkey ?? "", name: call.name ?? "")
        case "removePasskey": try await auth.removePasskey(call.passkey ?? "")
        case "beginTOTP": return try await auth.beginTOTP().uri
        case "activateTOTP": return "\(try await auth.activateTOTP(code: call.code ?? "").count) codes"
        case "renewRecoveryCodes": return "\(try await auth.renewRecoveryCodes().count) codes"
        case "removeTOTP": try await auth.removeTOTP()
        case "cancelSecondFactorReset": try await auth.cancelSecondFactorReset()
        case "requireSecondFactor": try await auth.requireSecondFactor(true)
        case "secondFactors":
            let all = try await auth.secondFactors()
            let words: [String?] = [
                all.hasTOTP ? "totp" : nil, all.activeFrom.map { "waits \(Int($0.timeIntervalSince1970))" },
                all.isRequired ? "required" : nil, "recovery \(all.recoveryCodesLeft)", "passkeys \(all.passkeys)",
                all.resetAt.map { "reset \(Int($0.timeIntervalSince1970))" },
            ]
            return words.compactMap(\.self).joined(separator: ",")
        default: try await identity(call)
        }
        return "done"
    }

    private func factor(_ call: Message) -> SecondFactor {
        call.totp.map(SecondFactor.totp) ?? call.recoveryCode.map(SecondFactor.recoveryCode) ?? .passkey
    }

    private func identity(_ call: Message) async throws(AuthError) {
        let (token, name) = (call.token ?? "", call.name ?? "")
        switch call.do {
        case "addIdentity":
            guard let pending = pending.change({ $0 }) else { throw .codeRefused(nil) }
            try await auth.addIdentity(pending, code: call.code ?? "")
        case "addPhoneToken": try await auth.addPhoneToken(token)
        case "addApple": try await auth.addApple(AppleCredential(identityToken: token))
        case "addProvider": try await auth.addProvider(name, identityToken: token)
        case "removeIdentity": try await auth.removeIdentity(name)
        case "setPassword": try await auth.setPassword(call.password ?? "")
        case "removePassword": try await auth.removePassword()
        case "cancelMerge": try await auth.cancelMerge()
        case "cancelPhoneChange": try await auth.cancelPhoneChange()
        case "merge": try await auth.merge(MergeToken(token))
        case "mergeOther":
            try await auth.merge(mergeToken.change { $0 } ?? MergeToken(token), keepPhone: .other)
        case "mergeByProof":
            let proof = call.code.map { AccountProof.code($0) } ?? call.password.map(AccountProof.password)
            try await auth.merge(
                MergeToken("mt_secret"), proof: proof ?? .provider(name, identityToken: token))
        case "mergeByBrowser":
            let pending = try auth.prepareBrowser(name, redirect: Self.redirect)
            let page = try await auth.urlToAdd(pending).absoluteString
            let link = wire.ask(Line(what: "open", page: page)).link.flatMap { URL(string: $0) }
            let proof = try link.flatMap { link throws(AuthError) in try AccountProof.browser(pending, link) }
            try await auth.merge(MergeToken("mt_secret"), proof: proof)
        case "requestMergeCode": try await auth.requestMergeCode(MergeToken(token))
        default: try await proof(call)
        }
    }

    private func proof(_ call: Message) async throws(AuthError) {
        switch call.do {
        case "asks":
            auth.onReauthenticate { [question, wire] in
                let isShown = await withCheckedContinuation { waiting in
                    question.change { $0 = waiting }
                    wire.tell(Line(event: "asked"))
                }
                if !isShown { throw CancellationError() }
            }
            return
        case "closeQuestion": return answer(false)
        case "sendProof": return try await auth.requestReauthentication()
        case "reauthenticate": try await auth.reauthenticate(call.code ?? "")
        case "reauthenticateWithPassword": try await auth.reauthenticateWithPassword(call.password ?? "")
        case "reauthenticateWithProvider":
            try await auth.reauthenticateWithProvider(call.name ?? "", identityToken: call.token ?? "")
        case "reauthenticateWithBrowser": try await auth.reauthenticateWithBrowser(call.name ?? "")
        case "stepUp": try await auth.stepUp(factor(call))
        case "reauthenticateWithPhone": try await auth.reauthenticate(.phoneToken(call.token ?? ""))
        default: throw .refused(status: 0, code: "unknown_call", requestID: nil)
        }
        answer(true)
    }

    private func answer(_ isShown: Bool) {
        question.change { question in
            question?.resume(returning: isShown)
            question = nil
        }
    }
}

/// Passes a call to the client, or keeps it until the client has begun. Returns whether it is the first call.
private func deliver(_ message: Message) -> Bool {
    waiting.change { waiting in
        if let driver = driver.change({ $0 }) {
            driver.handle(message)
            return false
        }
        waiting.append(message)
        return waiting.count == 1
    }
}

private func start(_ message: Message) {
    let started = Driver(base: base, early: message.early, told: message.told ?? false, wire, clock)
    waiting.change { waiting in
        driver.change { $0 = started }
        for call in waiting { started.handle(call) }
    }
}

let wire = Wire()
let clock = TestClock()
let base = CommandLine.arguments.dropFirst().first ?? ""
let driver = TestBox<Driver?>(nil)
let waiting = TestBox<[Message]>([])
Thread.detachNewThread {
    var last: (now: Double, wall: Double)?
    while let line = readLine() {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(line.utf8)) else { continue }
        if let now = message.now, let wall = message.wall {
            let before = last ?? (now, 1_800_000_000)
            clock.advance(by: .seconds(now - before.now))
            clock.setWall(by: .seconds((wall - before.wall) - (now - before.now)))
            last = (now, wall)
        }
        if let reply = message.reply {
            wire.answered(reply, message)
        } else if message.id != nil, deliver(message) {
            // The client reads its store as it starts, and this thread has to bring the answer.
            Thread.detachNewThread { start(message) }
        }
    }
    exit(0)
}
dispatchMain()
