import Foundation
import LatchkeyAuthTesting
import Observation
import Testing

@testable import LatchkeyAuth

/// The session for SwiftUI (rows H46, H49 and T42 of Tests/Compat/statements.md).
@Suite @MainActor struct AuthModelTests {
    private let surroundings = TestSurroundings()
    private let transport = ScriptedTransport()
    private let clock = TestClock()

    private func makeAuth() throws -> LatchkeyAuth {
        var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.store = MemoryStore()
        configuration.transport = transport
        configuration.surroundings = surroundings
        configuration.clock = clock
        return LatchkeyAuth(configuration)
    }

    private func signIn(_ auth: LatchkeyAuth) async throws {
        transport.on("POST", "/auth/otp/request", .json(200, ["status": "pending"]))
        transport.on("POST", "/auth/otp/verify", .signIn())
        let pending = try await auth.requestCode(phone: "+15551234567")
        try await auth.signIn(pending, code: "123456")
    }

    /// Waits as a view does: it is drawn again when something that it has read changes.
    private func wait(until isDone: @MainActor () -> Bool) async {
        while !isDone() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isDone()
                } onChange: {
                    continuation.resume()
                }
            }
            await Task.yield()
        }
    }

    @Test func `a view sees the sign-in, the profile and the sign-out`() async throws {
        let auth = try makeAuth()
        let model = AuthModel(auth)
        #expect(model.state == .signedOut(nil) && !model.isSignedIn && model.user == nil)
        try await signIn(auth)
        await wait { model.isSignedIn && model.user?.id == "usr_1" }
        transport.on("GET", "/users/me", .json(200, ["id": "usr_1", "name": "Betty"]))
        try await auth.reloadUser()
        await wait { model.user?.name == "Betty" }
        transport.on("POST", "/auth/logout", .json(200, ["success": "yes"]))
        await auth.signOut()
        await wait { model.state == .signedOut(.asked) && model.user == nil }
    }

    @Test func `in the background the profile leaves the model, and comes back with the app`() async throws {
        let auth = try makeAuth()
        let model = AuthModel(auth)
        try await signIn(auth)
        await wait { model.user != nil }
        surroundings.change(.background)
        await wait { model.user == nil }
        #expect(model.isSignedIn)
        surroundings.change(.foreground)
        await wait { model.user?.id == "usr_1" }
    }

    @Test func `without a network the user is signed in, and a banner can say so`() async throws {
        let auth = try makeAuth()
        let model = AuthModel(auth)
        try await signIn(auth)
        clock.advance(by: .seconds(4000))
        transport.on("POST", "/auth/refresh", .failure(.offline))
        await #expect(throws: AuthError.offline) { try await auth.accessToken() }
        await wait { model.isOverdue }
        #expect(model.isSignedIn)
    }

    @Test func `a model does not keep the session alive after the app has let go of it`() async throws {
        weak var released: AuthModel?
        let auth = try makeAuth()
        do {
            let model = AuthModel(auth)
            released = model
            #expect(released != nil)
        }
        #expect(released == nil)
    }
}
