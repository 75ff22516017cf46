import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import ServiceKit
import StrictJSON
import Synchronization
import TestSupport
import Testing

extension Live {
    /// A role taken away or an account deactivated while its user's devices are busy (security guide R-37, I-3).
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": KeyPolicy.unlimited, "LATCHKEY_REPLICAS": "token=2"]))
    struct RightsChangeTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func change(_ user: String, role: String? = nil, isActive: Bool? = nil) async throws {
            let answer = try await ServiceCaller(stack: stack, caller: .control).post(
                "user", UserOperations.change.path, ChangeUserRequest(userID: user, role: role, isActive: isActive))
            guard answer.status == 200 else { throw UnexpectedAnswer(to: UserOperations.change.path, answer) }
        }

        @Test func `after a role is taken no call has it any more, and who refreshes has the new one`() async throws {
            let user = try await stack.signIn().user.id
            try await change(user, role: "admin")
            let busy = try await BusyUser(user, version: 2, on: stack)
            let answered = try await busy.run { try await change(user, role: "guest") }
            let late = busy.calls.filter { $0.invoked > answered + BusyUser.bound }
            #expect(late.allSatisfy { ($0.status == 200) == ($0.role == "guest") }, "\(late.map(\.status))")
            #expect(late.contains { $0.status == 200 })
            #expect(busy.calls.contains { $0.status == 200 && $0.role != "guest" })
            let refreshes = busy.refreshes.filter { $0.invoked > answered }
            #expect(refreshes.count >= BusyUser.count)
            #expect(refreshes.allSatisfy { $0.status == 200 && $0.role == "guest" })
            #expect(busy.calls.allSatisfy { $0.status == 200 || $0.status == 401 })
        }

        @Test func `after a deactivation nothing succeeds any more, and no grant of before opens a session`()
            async throws
        {
            let user = try await stack.signIn().user.id
            let busy = try await BusyUser(user, version: 1, on: stack)
            let answered = try await busy.run { try await change(user, isActive: false) }
            let late = busy.calls.filter { $0.invoked > answered + BusyUser.bound }
            #expect(late.count >= BusyUser.count && busy.calls.contains { $0.status == 200 })
            #expect(late.allSatisfy { $0.status == 403 }, "\(Set(late.map(\.status)))")
            let refreshes = busy.refreshes.filter { $0.invoked > answered }
            #expect(refreshes.count >= BusyUser.count)
            #expect(refreshes.allSatisfy { $0.status == 403 }, "\(Set(refreshes.map(\.status)))")
            await #expect(throws: UnexpectedAnswer.self) { try await stack.openSession(of: user) }
        }

        @Test func `the operator changes a role from the command line`() async throws {
            let session = try await stack.signIn()
            func control(_ arguments: String) async throws -> Shell.Outcome {
                try await Shell.run(
                    "'\(LatchkeyStack.binaries)/latchkeyctl' users change \(arguments)", in: stack.dataDirectory,
                    environment: [
                        "USER_URL": try stack.service("user").base,
                        "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets",
                    ])
            }
            #expect(try await control("\(session.user.id) --role admin").isSuccess)
            try await eventually("the gateway refuses the former role") {
                try await stack.gateway.get("/api/hello", bearer: session.tokens.accessToken).status == 401
            }
            let refreshed: TokenReply = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: session.tokens.refreshToken)
            ).decoded()
            let hello = try await stack.gateway.get("/api/hello", bearer: refreshed.accessToken)
            #expect(try hello.json["role"]?.stringValue == "admin")
            for arguments in ["usr_0 --role admin", session.user.id, "\(session.user.id) --role 'a b'"] {
                #expect(try await !control(arguments).isSuccess, "\(arguments)")
            }
        }
    }
}

/// Many devices of one user that call the API, and as many more that refresh, all at once.
final class BusyUser: Sendable {
    /// Together with the first session they are fewer than the hundred that a user may have.
    static let count = 49
    /// From the answer to a change on, a call that begins this much later has it, on a busy machine too: a gateway that has heard
    /// nothing for so long answers 503.
    static let bound = Duration.milliseconds(100)
    /// Until every device has had its turn again, also on a busy machine.
    private static let turnsAfter = 2
    private static let limit = Patience.limit

    /// A request and what came of it; the role is the one that the answer shows. A 503 is left out: the gateway answers so when it
    /// waits too long for Redis, as it does beside other work, and an app tries again.
    struct Act: Sendable {
        let invoked: ContinuousClock.Instant
        let status: Int
        let role: String?
    }

    private struct State {
        var calls: [Act] = []
        var refreshes: [Act] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let stack: LatchkeyStack
    private let devices: [TokenSet]

    init(_ user: String, version: Int64, on stack: LatchkeyStack) async throws {
        var devices: [TokenSet] = []
        for _ in 0..<2 * Self.count { devices.append(try await stack.openSession(of: user, version: version)) }
        self.devices = devices
        self.stack = stack
    }

    var calls: [Act] { state.withLock { $0.calls } }
    var refreshes: [Act] { state.withLock { $0.refreshes } }

    /// Lets the devices work, makes the change amid that, and lets them go on for a while.
    /// - Returns: when the change was answered.
    func run(_ change: () async throws -> Void) async throws -> ContinuousClock.Instant {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices.prefix(Self.count) { group.addTask { try await self.call(device) } }
            for device in devices.suffix(Self.count) { group.addTask { try await self.refresh(device) } }
            defer { state.withLock { $0.isOver = true } }
            try await eventually("every device works", within: Self.limit) {
                self.calls.count >= Self.count && self.refreshes.count >= Self.count
            }
            try await change()
            let answered = ContinuousClock.now
            try await eventually("every device has worked since", within: Self.limit) {
                let wanted = Self.turnsAfter * Self.count
                return self.calls.count { $0.invoked > answered + Self.bound } >= wanted
                    && self.refreshes.count { $0.invoked > answered } >= wanted
            }
            return answered
        }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Calls; after a 401 with a token that a refresh brings, as apps do.
    private func call(_ device: TokenSet) async throws {
        var (access, refresh) = (device.accessToken, device.refreshToken)
        while !isOver {
            let invoked = ContinuousClock.now
            let answer = try await stack.gateway.get("/api/hello", bearer: access)
            guard answer.status != 503 else { continue }
            let role = answer.status == 200 ? try answer.json["role"]?.stringValue : nil
            state.withLock { $0.calls.append(Act(invoked: invoked, status: answer.status, role: role)) }
            guard answer.status == 401, let tokens = try await rotate(refresh) else { continue }
            (access, refresh) = (tokens.accessToken, tokens.refreshToken)
        }
    }

    private func refresh(_ device: TokenSet) async throws {
        var refresh = device.refreshToken
        while !isOver {
            if let tokens = try await rotate(refresh) { refresh = tokens.refreshToken }
        }
    }

    private func rotate(_ token: String) async throws -> TokenReply? {
        let invoked = ContinuousClock.now
        let answer = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
        guard answer.status != 503 else { return nil }
        let tokens: TokenReply? = answer.status == 200 ? try answer.decoded() : nil
        let role = try tokens.flatMap { try Self.role($0.accessToken) }
        state.withLock { $0.refreshes.append(Act(invoked: invoked, status: answer.status, role: role)) }
        return tokens
    }

    private static func role(_ accessToken: String) throws -> String? {
        let parts = accessToken.split(separator: ".")
        guard parts.count == 3, let claims = Base64URL.decode(String(parts[1])) else { return nil }
        return try StrictJSON.parse(claims, limits: .init(bytesMax: 1 << 14, depthMax: 8))["role"]?.stringValue
    }
}
