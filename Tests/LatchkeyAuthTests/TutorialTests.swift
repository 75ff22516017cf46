import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting
import Testing

/// The tutorial's code compiles, is what the page shows, and does what the page says.
@Suite struct TutorialTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    @Test func `the page shows the code that is compiled`() throws {
        let page = try String(
            contentsOf: Self.here.appending(path: "../../Shared/LatchkeyAuth/LatchkeyAuth.docc/SigningIn.md"),
            encoding: .utf8)
        let code = try String(contentsOf: Self.here.appending(path: "Tutorial.swift"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 6)
        for block in blocks { #expect(code.contains(block), "\(block)") }
    }

    @Test func `a user goes through the tutorial`() async throws {
        let transport = ScriptedTransport()
        transport.on(
            "POST", "/auth/otp/request", .json(429, ["error": "rate_limited"]), .json(200, ["status": "pending"]))
        transport.on("POST", "/auth/otp/verify", .json(401, ["code": "invalid_code"]), .signIn(isNewUser: true))
        transport.on("GET", "/api/hello", .raw(200, "hello"))
        transport.on("POST", "/auth/logout", .json(200, ["success": "yes"]))
        let baseURL = try #require(URL(string: "https://api.example.com"))
        var configuration = LatchkeyAuth.Configuration(baseURL: baseURL)
        configuration.store = MemoryStore()
        configuration.transport = transport
        let auth = LatchkeyAuth(configuration)

        #expect(await askForCode(auth, phone: "5551234567") == "Please wait for 30.0 seconds.")
        #expect(await askForCode(auth, phone: "5551234567") == nil)
        let pending = try await auth.requestCode(phone: "5551234567", region: "US")
        #expect(await signIn(auth, pending, code: "000000") == "The code is wrong or too old.")
        #expect(await signIn(auth, pending, code: "123456") == "Welcome!")
        #expect(try await loadGreeting(auth, baseURL: baseURL) == Data("hello".utf8))
        await signOut(auth)
        #expect(auth.state == .signedOut(.asked))
    }
}
