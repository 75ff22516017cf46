import AuthAPI
import FoundationEssentials
import InternalAPI
import Synchronization
import TestSupport

/// Phones that call the API at a steady rate and refresh, and others that sign in, over several gateways in turns.
///
/// A 503 is what a service that is stopped is answered for, and the phone tries again; every other answer than the one
/// that is due is a finding.
final class KeyTraffic: Sendable {
    static let callsPerSecond = 200
    private static let phones = 40
    /// A refresh of a phone after so many calls: below the policy's limit of a user.
    private static let callsPerRefresh = 40
    private static let signInPause = Duration.milliseconds(300)
    private static let retryPause = Duration.milliseconds(20)
    private static let findingsMax = 20

    /// The observations of the traffic so far.
    struct Tally: Sendable, CustomStringConvertible {
        var calls = 0
        var refreshes = 0
        var signIns = 0
        var unavailable = 0
        var findings: [String] = []

        var description: String {
            "\(calls) calls, \(refreshes) refreshes, \(signIns) sign-ins, \(unavailable) times 503, "
                + "\(findings.count) findings"
        }
    }

    private let stack: LatchkeyStack
    private let gateways: [TestHTTPClient]
    private let isOver = Flag()
    private let seen = Mutex(Tally())

    init(stack: LatchkeyStack, gateways: [TestHTTPClient]) {
        self.stack = stack
        self.gateways = gateways
    }

    /// The observations so far.
    var tally: Tally { seen.withLock { $0 } }

    /// Lets the phones do their work while `body` runs.
    func run(_ body: () async throws -> Void) async throws {
        var sessions: [TokenSet] = []
        for _ in 0..<Self.phones { sessions.append(try await stack.openSession()) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, session) in sessions.enumerated() {
                group.addTask { try await self.phone(number, session) }
            }
            group.addTask { try await self.newcomers() }
            defer { isOver.set() }
            try await body()
            isOver.set()
            try await group.waitForAll()
        }
    }

    private func phone(_ number: Int, _ session: TokenSet) async throws {
        var (access, refresh) = (session.accessToken, session.refreshToken)
        let pause = Duration.seconds(1) * Self.phones / Self.callsPerSecond
        let start = ContinuousClock.now + pause * number / Self.phones
        var turn = 0
        while !isOver.isSet {
            try await Task.sleep(until: start + pause * turn, clock: .continuous)
            await call(gateway(turn), access)
            turn += 1
            guard (turn + number) % Self.callsPerRefresh == 0 else { continue }
            guard let tokens = try await refreshed(refresh, turn) else { return }
            (access, refresh) = (tokens.accessToken, tokens.refreshToken)
        }
    }

    private func gateway(_ turn: Int) -> TestHTTPClient { gateways[turn % gateways.count] }

    private func call(_ gateway: TestHTTPClient, _ token: String) async {
        do {
            let answer = try await gateway.get("/api/hello", bearer: token)
            note("GET /api/hello", answer) { $0.calls += 1 }
        } catch {
            fault("GET /api/hello: \(error)")
        }
    }

    /// The answer to a refresh, which is asked for until it comes, at all gateways in turns; nil when it is refused.
    private func refreshed(_ token: String, _ turn: Int) async throws -> TokenReply? {
        let key = [("Idempotency-Key", UUID().uuidString)]
        var turn = turn
        while true {
            let answer = try await gateway(turn).post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: token), headers: key)
            note("POST /auth/refresh", answer) { $0.refreshes += 1 }
            if answer.status == 200 { return try answer.decoded() }
            guard answer.status == 503, !isOver.isSet else { return nil }
            turn += 1
            try await Task.sleep(for: Self.retryPause)
        }
    }

    /// Signs one new user in after the other, and uses each one's first token at every gateway.
    private func newcomers() async throws {
        while !isOver.isSet {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
            if let reply = try await verified(body) {
                for gateway in gateways { await call(gateway, reply.tokens.accessToken) }
            }
            try await Task.sleep(for: Self.signInPause)
        }
    }

    private func verified(_ body: OTPVerifyBody) async throws -> SignInReply? {
        let key = [("Idempotency-Key", UUID().uuidString)]
        while true {
            let answer = try await stack.gateway.post("/auth/otp/verify", encoding: body, headers: key)
            note("POST /auth/otp/verify", answer) { $0.signIns += 1 }
            if answer.status == 200 { return try answer.decoded() }
            guard answer.status == 503, !isOver.isSet else { return nil }
            try await Task.sleep(for: Self.retryPause)
        }
    }

    private func note(_ request: String, _ answer: HTTPAnswer, _ success: (inout Tally) -> Void) {
        switch answer.status {
        case 200: seen.withLock { success(&$0) }
        case 503: seen.withLock { $0.unavailable += 1 }
        default: fault("\(request): \(answer.status) \(answer.text)")
        }
    }

    private func fault(_ finding: String) {
        seen.withLock { if $0.findings.count < Self.findingsMax { $0.findings.append(finding) } }
    }
}
