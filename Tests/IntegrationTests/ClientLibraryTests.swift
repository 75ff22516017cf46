import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Live {
    /// The flows of howru's document, driven by the client library in place of the printed client.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ClientLibraryTests {
        @Test func `a user signs in, goes on and signs out`() async throws {
            try await LatchkeyStack.run(name: "client-library") { stack in
                let device = try Device(stack)
                let auth = device.makeAuth()
                try await signIn(auth, device, stack)
                #expect(try await status(auth, device) == 200)
                #expect(try await auth.update(["name": .string("Ann")]).name == "Ann")
                #expect(try await auth.sessions().map(\.isCurrent) == [true])

                try await loseResponse(auth, device)
                try await renewTwiceAtOnce(auth, device)
                try await endElsewhere(auth, device)
            }
        }

        private func signIn(_ auth: LatchkeyAuth, _ device: Device, _ stack: LatchkeyStack) async throws {
            let phone = "+15552007002"
            let pending = try await auth.requestCode(phone: phone)
            let code = try await stack.code(for: phone)
            await #expect(throws: AuthError.codeRefused(.wrong)) {
                try await auth.signIn(pending, code: code == "111111" ? "222222" : "111111")
            }
            await device.transport.lose(1)
            await #expect(throws: AuthError.offline) { try await auth.signIn(pending, code: code) }
            let signIn = try await auth.signIn(pending, code: code, name: "Betty")
            #expect(signIn.isNewUser && signIn.user.phoneNumber == phone)
            #expect(try await auth.sessions().count == 1, "a repeated sign-in is the same session")
        }

        /// The response to a renewal is lost, the app is started again, and the repeat gets the same successor.
        private func loseResponse(_ auth: LatchkeyAuth, _ device: Device) async throws {
            let token = try await auth.accessToken()
            await device.transport.lose(1)
            await #expect(throws: AuthError.offline) { try await auth.accessToken(insteadOf: token) }
            let again = device.makeAuth()
            #expect(try await again.accessToken(insteadOf: token) != token)
            #expect(try await status(again, device) == 200)
        }

        /// An app and its widget renew at once.
        private func renewTwiceAtOnce(_ auth: LatchkeyAuth, _ device: Device) async throws {
            device.clock.advance(by: .seconds(31))
            let widget = device.makeAuth()
            let token = try await widget.accessToken()
            async let one = auth.accessToken(insteadOf: token)
            async let two = widget.accessToken(insteadOf: token)
            #expect(try await one != token)
            #expect(try await two != token)
            #expect(try await status(auth, device) == 200)
            #expect(try await status(widget, device) == 200)
        }

        /// A sign-out in one process holds in the other, and for a copy of the record too.
        private func endElsewhere(_ auth: LatchkeyAuth, _ device: Device) async throws {
            let copy = MemoryStore(device.store.item)
            let other = device.makeAuth(store: copy)
            let token = try await other.accessToken()
            await auth.signOut()
            #expect(auth.state == .signedOut(.asked))
            device.clock.advance(by: .seconds(31))
            let error = await #expect(throws: AuthError.self) { try await other.accessToken(insteadOf: token) }
            #expect(error?.keepsSession == false, "\(error as Any)")
        }

        private func status(_ auth: LatchkeyAuth, _ device: Device) async throws -> Int {
            try await auth.data(for: URLRequest(url: device.baseURL.appending(path: "api/hello"))).1.statusCode
        }
    }
}

/// A device with one store, whose network loses responses.
private struct Device {
    let store = MemoryStore()
    let clock = TestClock(wall: Date())
    let transport = LosingTransport()
    let baseURL: URL

    init(_ stack: LatchkeyStack) throws { baseURL = try #require(URL(string: stack.gateway.base)) }

    func makeAuth(store other: MemoryStore? = nil) -> LatchkeyAuth {
        var configuration = LatchkeyAuth.Configuration(baseURL: baseURL)
        configuration.store = other ?? store
        configuration.clock = clock
        configuration.transport = transport
        return LatchkeyAuth(configuration)
    }
}

/// A network that loses the next responses.
private actor LosingTransport: Transport {
    private let real = URLSessionTransport()
    private var left = 0

    func lose(_ count: Int) { left = count }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let response = try await real.send(request)
        guard left > 0 else { return response }
        left -= 1
        throw URLError(.networkConnectionLost)
    }
}
