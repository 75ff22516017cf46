import AuthAPI
import ServiceCalls
import Synchronization
import Testing

@testable import ConsoleCore

/// Sessions of administrators: their bound, their end, and the refresh of their tokens.
@Suite struct ConsoleSessionTests {
    private static let browser = Browser(ticket: "ticket", language: .english, isSecure: true)

    private static func session(_ gateway: FakeGateway, expiresIn: Int64 = 900) -> AdminSession {
        AdminSession(
            TokenReply(accessToken: "old", refreshToken: "r0", expiresIn: expiresIn),
            calls: GatewayCalls(exchange: gateway, base: "http://gateway"))
    }

    @Test func `sessions are bounded, and end when they are not used or too old`() {
        let (sessions, gateway) = (AdminSessions(), FakeGateway { FakeGateway.usual($0) })
        let start = ContinuousClock.now
        let first = sessions.open(Self.session(gateway), at: start)
        let ids = (1...AdminSessions.countMax).map { sessions.open(Self.session(gateway), at: start + .seconds($0)) }
        #expect(sessions.count == AdminSessions.countMax && Set(ids).count == AdminSessions.countMax)
        let last = ids.last ?? ""
        let end = start + .seconds(AdminSessions.countMax)
        #expect(sessions.find(first, at: end) == nil && sessions.find(last, at: end) != nil)
        #expect(sessions.find(last, at: end + AdminSessions.idleTime) == nil)
        var now = end
        while now < end + AdminSessions.wholeTime {
            now += .seconds(1_700)
            _ = sessions.find(ids[3], at: now)
        }
        #expect(sessions.find(ids[3], at: now) == nil)
        sessions.close(ids[5])
        #expect(sessions.find(ids[5], at: end) == nil && sessions.find("", at: end) == nil)
    }

    @Test func `many calls at once share one refresh, also before the first expires`() async throws {
        let refreshes = Mutex(0)
        let gateway = FakeGateway { request in
            if request.url.hasSuffix("/auth/refresh") {
                refreshes.withLock { $0 += 1 }
                do { try await Task.sleep(for: .milliseconds(50)) } catch {}
                return FakeGateway.json(FakeGateway.tokens)
            }
            return request.headers["Authorization"] == "Bearer old"
                ? FakeGateway.problem(401, "unauthorized") : FakeGateway.usual(request)
        }
        for expiresIn in [5, 900] as [Int64] {
            let session = Self.session(gateway, expiresIn: expiresIn)
            let before = refreshes.withLock { $0 }
            await withTaskGroup(of: Bool.self) { group in
                for _ in 1...20 {
                    group.addTask {
                        do { return try await !session.send(.get("/admin/keys"), for: Self.browser).isEmpty } catch {
                            return false
                        }
                    }
                }
                for await isGood in group { #expect(isGood) }
            }
            #expect(refreshes.withLock { $0 } == before + 1, "expires in \(expiresIn)")
        }
    }

    /// A 503 too: the service behind the gateway may have made it.
    @Test(arguments: [nil, 503])
    func `a refresh of unknown end is repeated with the same key, and fails for good only when refused`(
        _ status: Int?
    ) async {
        let lost = Mutex(true)
        let refused = Mutex(false)
        let gateway = FakeGateway { request in
            guard request.url.hasSuffix("/auth/refresh") else { return FakeGateway.usual(request) }
            if refused.withLock({ $0 }) { return FakeGateway.problem(401, "unauthorized") }
            let isLost = lost.withLock { isLost in
                defer { isLost = false }
                return isLost
            }
            return isLost
                ? status.map { FakeGateway.problem($0, "unavailable") }
                : FakeGateway.json(#"{"accessToken":"a1","refreshToken":"r1","expiresIn":1}"#)
        }
        let session = Self.session(gateway, expiresIn: 0)
        func failure() async -> APIFailure? {
            do throws(APIFailure) {
                _ = try await session.send(.get("/admin/keys"), for: Self.browser)
                return nil
            } catch { return error }
        }
        if status != nil { #expect(await failure() == .unavailable) }
        #expect(await failure() == nil)
        let keys = gateway.requests.filter { $0.url.hasSuffix("/auth/refresh") }.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2 && keys[0] == keys[1] && keys[0] != nil)
        refused.withLock { $0 = true }
        #expect(await failure() == .signedOut)
        // A session that has ended stays ended, and makes no further call.
        let count = gateway.requests.count
        #expect(await failure() == .signedOut && gateway.requests.count == count)
    }
}
