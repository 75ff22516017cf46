#if canImport(StubDarwin)
import AuthenticationServices
import Foundation
import LatchkeyAuthTesting
import Security
import Testing

@testable import LatchkeyAuth

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension StubDeviceTests {
    /// Items of earlier releases, kept codes and Apple's name, over the stub Keychain (rows H47, A31, A49, V19, T50 and A9 of
    /// Tests/Compat/statements.md).
    @Suite final class EarlierItemsTests: Sendable {
        private let folder = FileManager.default.temporaryDirectory.appending(path: "earlier-\(UUID().uuidString)")
        private let transport = ScriptedTransport()

        init() { StubKeychain.change { $0 = StubKeychainState() } }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func makeAuth() throws -> LatchkeyAuth {
            var configuration = LatchkeyAuth.Configuration(
                baseURL: try #require(URL(string: "https://api.example.com")))
            configuration.store = KeychainStore(profile: "default", folders: [folder], isExtension: false)
            configuration.transport = transport
            configuration.surroundings = FixedSurroundings()
            return LatchkeyAuth(configuration)
        }

        /// The earlier release has signed a user in: its items are as the document's code writes them.
        private func plant(_ items: EarlierItems) {
            let payload = Base64URL.encode(Array(#"{"sub":"usr_7"}"#.utf8))
            let texts = [items.refreshToken: "earlier-refresh", items.accessToken: "e30.\(payload).c2ln"]
            StubKeychain.change { state in
                for account in [items.refreshToken, items.accessToken] + items.others {
                    state.items.append(
                        StubItem(
                            service: "", account: account, group: "TEAM.app", accessible: "ak", generic: nil,
                            data: Data((texts[account] ?? "1").utf8)))
                }
            }
        }

        private var earlier: [String] { StubKeychain.change { $0.items.filter { $0.service.isEmpty }.map(\.account) } }

        @Test(arguments: [EarlierItems.howru, .aarokya, .voltyks])
        func `an update takes over the session, and erases the earlier items after that`(
            _ items: EarlierItems
        ) async throws {
            plant(items)
            transport.on("POST", "/auth/refresh", .tokens(access: "access-2", refresh: "refresh-2"))
            let auth = try makeAuth()
            #expect(try await auth.takeOver(items, isUpdate: true))
            #expect(earlier.isEmpty)
            #expect(auth.state == .signedIn(Session(userID: "usr_7", freshness: .fresh)))
            #expect(try await auth.accessToken() == "access-2")
            // The token is given before its record is stored, and the next test has the same Keychain.
            while !StubKeychain.change({
                $0.items.contains { String(decoding: $0.data, as: UTF8.self).contains("refresh-2") }
            }) {
                await Task.yield()
            }
            let sent = transport.requests.compactMap(\.httpBody).map { String(decoding: $0, as: UTF8.self) }
            #expect(sent.count == 1 && sent.allSatisfy { $0.contains("earlier-refresh") })
            #expect(try await makeAuth().takeOver(items, isUpdate: true) == false)
        }

        @Test func `after a reinstallation the earlier items are erased and not used`() async throws {
            plant(.howru)
            let auth = try makeAuth()
            #expect(try await auth.takeOver(.howru, isUpdate: false) == false)
            #expect(earlier.isEmpty && auth.state == .signedOut(nil) && transport.requests.isEmpty)
        }

        @Test func `a session that cannot be stored leaves the earlier items, and tells the server nothing`()
            async throws
        {
            plant(.howru)
            let auth = try makeAuth()
            StubKeychain.change { $0.faults = [StubFault(-36, on: [.add])] }
            await #expect(throws: AuthError.storeUnavailable(.denied(-36))) {
                try await auth.takeOver(.howru, isUpdate: true)
            }
            #expect(earlier.count == 2 && transport.requests.isEmpty && auth.state == .signedOut(nil))
            StubKeychain.change { $0.faults = [] }
            #expect(try await auth.takeOver(.howru, isUpdate: true))
        }

        @Test func `an app that was ended before the earlier items were erased does that at its next start`()
            async throws
        {
            plant(.howru)
            StubKeychain.change { $0.faults = [StubFault(-36, on: [.delete])] }
            #expect(try await makeAuth().takeOver(.howru, isUpdate: true))
            #expect(earlier.count == 2)
            StubKeychain.change { $0.faults = [] }
            let later = try makeAuth()
            #expect(try await later.takeOver(.howru, isUpdate: true) == false)
            #expect(earlier.isEmpty && later.state == .signedIn(Session(userID: "usr_7", freshness: .fresh)))
        }

        @Test func `a locked phone postpones the takeover`() async throws {
            plant(.howru)
            StubKeychain.change { $0.lock = .beforeFirstUnlock }
            let auth = try makeAuth()
            #expect(try await auth.takeOver(.howru, isUpdate: true) == false)
            #expect(earlier.count == 2 && auth.state == .unavailable(.protectedData))
        }

        // MARK: - Notes

        @Test func `a requested code is kept while the system ends the app`() async throws {
            transport.on("POST", "/auth/otp/request", .json(200, ["status": "pending"]))
            let auth = try makeAuth()
            let pending = try await auth.requestCode(phone: "+15551234567")
            #expect(auth.keptCode == nil)
            try auth.keep(pending)
            try auth.keep(pending)
            #expect(try makeAuth().keptCode == pending)
            try auth.keep(nil)
            #expect(auth.keptCode == nil)
        }

        private func apple(_ name: String?, token: String = "id-token") -> Result<ASAuthorization, any Error> {
            var components = PersonNameComponents()
            components.givenName = name
            let credential = ASAuthorizationAppleIDCredential(
                user: "apple-1", identityToken: Data(token.utf8), authorizationCode: Data("code".utf8),
                fullName: components, email: nil)
            return .success(ASAuthorization(credential: credential))
        }

        @Test func `the name from Apple is kept until the server has answered`() async throws {
            let request = ASAuthorizationAppleIDRequest()
            let attempt = AppleSignIn(request)
            #expect(request.nonce == attempt.nonce.digest && request.requestedScopes == [.fullName, .email])
            let auth = try makeAuth()
            transport.on("POST", "/auth/apple", .failure(.offline), .signIn(isNewUser: true), .signIn())
            await #expect(throws: AuthError.offline) { try await auth.signInWithApple(attempt, self.apple("Betty")) }
            // The app is started again, and Apple gives no name any more.
            let later = try makeAuth()
            #expect(try await later.signInWithApple(attempt, apple(nil))?.isNewUser == true)
            #expect(try await later.signInWithApple(attempt, apple(nil, token: "another"))?.isNewUser == false)
            // A second sign-in also signs the first session out, at some time.
            let signIns = transport.requests.filter { $0.url?.path() == "/auth/apple" }
            let bodies = try signIns.compactMap(\.httpBody).map {
                try JSONDecoder().decode([String: String].self, from: $0)
            }
            #expect(bodies.map { $0["fullName"] } == ["Betty", "Betty", nil])
            #expect(bodies.allSatisfy { $0["nonce"] == attempt.nonce.value && $0["authorizationCode"] == "code" })
        }

        @Test func `a cancelled dialog of Apple is no error`() async throws {
            let attempt = AppleSignIn(ASAuthorizationAppleIDRequest())
            #expect(try await makeAuth().signInWithApple(attempt, .failure(CancellationError())) == nil)
        }
    }
}
#endif
