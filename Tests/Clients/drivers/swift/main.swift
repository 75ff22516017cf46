import Dispatch
import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The library under the conformance suite: its public client, with store and clock in the hands of the runner. Reads and writes
// JSON lines.

/// The client, and what the calls leave for each other.
final class Driver: Sendable {
    private let auth: LatchkeyAuth
    private let wire: Wire
    private let surroundings: TestSurroundings
    private let pending = TestBox<PendingCode?>(nil)
    private let tasks = TestBox<[Int: Task<Void, Never>]>([:])

    init(base: String, early: Double?, _ wire: Wire, _ clock: TestClock) {
        var configuration = LatchkeyAuth.Configuration(baseURL: URL(string: base) ?? URL(fileURLWithPath: "/"))
        surroundings = TestSurroundings()
        configuration.store = makeStore(wire)
        configuration.clock = clock
        configuration.surroundings = surroundings
        configuration.deviceName = "driver"
        if let early { configuration.early = .seconds(early) }
        configuration.log = { line in FileHandle.standardError.write(Data("\(line)\n".utf8)) }
        auth = LatchkeyAuth(configuration)
        self.wire = wire
        let events = auth.events
        Task { for await event in events { wire.tell(Line(event: event.word)) } }
    }

    func handle(_ call: Message) {
        guard let id = call.id else { return }
        if let cancelled = call.cancels { tasks.change { $0[cancelled] }?.cancel() }
        let task = Task {
            do throws(AuthError) {
                self.wire.tell(Line(id: id, ok: try await self.answer(call)))
            } catch {
                self.wire.tell(Line(id: id, error: error.word))
            }
        }
        tasks.change { $0[id] = task }
    }

    private func answer(_ call: Message) async throws(AuthError) -> String {
        switch call.do {
        case "start", "state": return auth.state.word
        case "accessToken": return try await auth.accessToken(validFor: .seconds(call.minimum ?? 0))
        case "refused": return try await auth.accessToken(insteadOf: call.token ?? "")
        case "requestCode": return try await request(call)
        case "signIn", "signInPassword", "signInApple", "signInProvider":
            return try await signIn(call).isNewUser ? "signedIn:new" : "signedIn"
        case "signOut":
            await auth.signOut(call.scope == "all" ? .all : .thisSession)
            return auth.state.word
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

    private func request(_ call: Message) async throws(AuthError) -> String {
        let sent =
            if let email = call.email { try await auth.requestCode(email: email) } else {
                try await auth.requestCode(phone: call.phone ?? "", region: "US")
            }
        pending.change { $0 = sent }
        return "sent"
    }

    private func signIn(_ call: Message) async throws(AuthError) -> SignIn {
        switch call.do {
        case "signInPassword": return try await auth.signIn(email: call.email ?? "", password: call.password ?? "")
        case "signInApple": return try await auth.signIn(apple: AppleCredential(identityToken: call.token ?? ""))
        case "signInProvider": return try await auth.signIn(provider: call.name ?? "", identityToken: call.token ?? "")
        default: break
        }
        guard let pending = pending.change({ $0 }) else { throw .codeRefused }
        if let link = call.link.flatMap(URL.init(string:)) { return try await auth.signIn(pending, link: link) }
        return try await auth.signIn(pending, code: call.code ?? "", name: call.name)
    }

    private func data(_ call: Message) async throws(AuthError) -> String {
        guard let url = URL(string: (call.base ?? "") + (call.path ?? "")) else { throw .offline }
        var request = URLRequest(url: url)
        if let body = call.body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
        }
        return String(try await auth.data(for: request).1.statusCode)
    }

    private func person(_ call: Message) async throws(AuthError) -> String {
        switch call.do {
        case "user": return auth.user?.name ?? "nil"
        case "reload": return try await auth.reloadUser().name ?? "nil"
        case "update": return try await auth.update(["name": call.name.map(AttributeValue.string)]).name ?? "nil"
        case "sessions": return try await String(auth.sessions().count)
        case "endSession": try await auth.endSession(call.name ?? "")
        case "endOthers": try await auth.endOtherSessions()
        case "changePassword": try await auth.changePassword(from: call.password ?? "", to: call.name ?? "")
        case "delete": try await auth.deleteAccount(password: call.password)
        case "register": try await auth.register(email: call.email ?? "", password: call.password ?? "")
        case "forgot": try await auth.forgotPassword(email: call.email ?? "")
        case "discover": return try await auth.discover().codeLength.map { "codes:\($0)" } ?? "unknown"
        default: throw .refused(status: 0, code: "unknown_call", requestID: nil)
        }
        return "done"
    }
}

let wire = Wire()
let clock = TestClock()
let base = CommandLine.arguments.dropFirst().first ?? ""
let driver = TestBox<Driver?>(nil)
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
        } else if let driver = driver.change({ $0 }) {
            driver.handle(message)
        } else {
            // The client reads its store as it starts, and this thread has to bring the answer.
            Thread.detachNewThread {
                let started = Driver(base: base, early: message.early, wire, clock)
                driver.change { $0 = started }
                started.handle(message)
            }
        }
    }
    exit(0)
}
dispatchMain()
