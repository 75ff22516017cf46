import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The public client with the testing product, as an app's own tests use it.
@Suite struct LatchkeyAuthTests {
    private let store = MemoryStore()
    private let clock = TestClock()
    private let transport = ScriptedTransport()
    private let surroundings = TestSurroundings()

    private func makeAuth() throws -> LatchkeyAuth {
        var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.store = store
        configuration.clock = clock
        configuration.transport = transport
        configuration.surroundings = surroundings
        return LatchkeyAuth(configuration)
    }

    private func signIn(_ auth: LatchkeyAuth) async throws {
        transport.on("POST", "/auth/otp/request", .json(200, ["status": "pending"]))
        transport.on("POST", "/auth/otp/verify", .signIn())
        let pending = try await auth.requestCode(phone: "+15551234567")
        let signIn = try await auth.signIn(pending, code: "123456")
        #expect(signIn.user.id == "usr_1" && !signIn.isNewUser)
    }

    @Test func `a user signs in, and the token is there without a request`() async throws {
        let auth = try makeAuth()
        #expect(auth.state == .signedOut(nil))
        try await signIn(auth)
        let sent = transport.requests.count
        #expect(try await auth.accessToken() == "access-1")
        #expect(transport.requests.count == sent)
        guard case .signedIn(let session) = auth.state else { return #expect(Bool(false), "\(auth.state)") }
        #expect(session.userID == "usr_1" && session.freshness == .fresh)
    }

    @Test func `another object over the same store has the session`() async throws {
        try await signIn(try makeAuth())
        #expect(try await makeAuth().accessToken() == "access-1")
    }

    @Test func `states begin with the present one, and end with the session's object`() async throws {
        var states: AsyncStream<State>?
        do {
            let auth = try makeAuth()
            states = auth.states
            try await signIn(auth)
        }
        var seen: [State] = []
        for await state in try #require(states) { seen.append(state) }
        #expect(seen.count == 1)
        guard case .signedIn? = seen.last else { return #expect(Bool(false), "\(seen)") }
    }

    @Test func `an event's handler may call anything`() async throws {
        let auth = try makeAuth()
        let events = auth.events
        try await signIn(auth)
        for await event in events {
            #expect(event == .signedIn(isNewUser: false))
            #expect(try await auth.accessToken() == "access-1")
            break
        }
    }

    @Test func `a request to another host has no token`() async throws {
        let auth = try makeAuth()
        try await signIn(auth)
        let elsewhere = try #require(URL(string: "https://example.org/x"))
        _ = try await auth.data(for: URLRequest(url: elsewhere))
        #expect(transport.requests.last?.value(forHTTPHeaderField: "Authorization") == nil)
        let here = try #require(URL(string: "https://api.example.com/x"))
        _ = try await auth.data(for: URLRequest(url: here))
        #expect(transport.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
    }

    @Test func `a request that the system has cancelled is no cancelled caller`() async throws {
        let auth = try makeAuth()
        try await signIn(auth)
        transport.on("POST", "/auth/refresh", .failure(.cancelled), .tokens(access: "access-2", refresh: "refresh-2"))
        await #expect(throws: AuthError.offline) { try await auth.accessToken(insteadOf: "access-1") }
        clock.advance(by: .seconds(10))
        #expect(try await auth.accessToken(insteadOf: "access-1") == "access-2")
    }

    @Test func `a pending code survives the app's end`() async throws {
        transport.on("POST", "/auth/otp/request", .json(200, ["status": "pending"]))
        let kept = try JSONEncoder().encode(try await makeAuth().requestCode(phone: "5551234567", region: "US"))
        let pending = try JSONDecoder().decode(PendingCode.self, from: kept)
        transport.on("POST", "/auth/otp/verify", .failure(.offline), .signIn())
        await #expect(throws: AuthError.offline) { try await makeAuth().signIn(pending, code: "123456") }
        // The third one finds the session that its code has opened.
        for _ in 0..<2 { _ = try await makeAuth().signIn(pending, code: "123456") }
        let attempts = transport.requests.filter { $0.url?.path() == "/auth/otp/verify" }
        let keys = Set(attempts.compactMap { $0.value(forHTTPHeaderField: "Idempotency-Key") })
        #expect(attempts.count == 2 && keys.count == 1)
    }

    /// The bound is 2 microseconds in a release build; a debug build gets more time, and a busy machine more rounds.
    @Test func `a fresh token costs no more than reading it`() async throws {
        let auth = try makeAuth()
        try await signIn(auth)
        var fastest = Duration.seconds(1)
        for round in 0..<500 where round < 5 || fastest >= .microseconds(100) {
            let begin = ContinuousClock.now
            for _ in 0..<1000 { _ = try await auth.accessToken() }
            fastest = min(fastest, begin.duration(to: .now) / 1000)
        }
        #expect(fastest < .microseconds(100), "\(fastest)")
    }
}
