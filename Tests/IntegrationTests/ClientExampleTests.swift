import ClientExample
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Live {
    /// The page "my app from zero": its code is that of the files that are compiled and run.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ClientExampleTests {
        private static let files = [
            "Swift/Latchkey.swift", "Kotlin/Latchkey.kt", "Kotlin/JavaHTTP.kt", "TypeScript/latchkey.ts",
        ]

        @Test(arguments: files) func `the page shows the file that is run`(file: String) throws {
            let page = try String(contentsOfFile: LatchkeyStack.root + "deploy/docs/app/by-hand.md", encoding: .utf8)
            let code = try String(contentsOfFile: LatchkeyStack.root + "Tests/Examples/" + file, encoding: .utf8)
            let language = file.prefix { $0 != "/" }.lowercased()
            #expect(page.contains("```\(language) compiled\n\(code)```\n"), "\(file) and the page differ")
        }

        @Test func `the TypeScript client does what the page says`() async throws {
            let outcome = try await Shell.run(
                "deploy/examples typescript 2>&1", in: LatchkeyStack.root,
                environment: ["LATCHKEY_BIN_DIR": LatchkeyStack.binaries])
            #expect(outcome.isSuccess, "\(outcome.output)")
            #expect(outcome.output.components(separatedBy: "\nok: ").count == 18, "\(outcome.output)")
        }

        @Test func `the Swift client does what the page says`() async throws {
            try await LatchkeyStack.run(name: "client-example") { stack in
                let (store, network) = (MemoryStore(), FaultyNetwork())
                let start = { Latchkey(base: stack.gateway.base, store: store, send: network.send) }
                let app = start()
                try await Self.signIn(app, store, stack)
                #expect(try await app.call("/api/hello").status == 200)
                try await Self.send(app)

                await store.spoil()
                async let one = app.call("/api/hello")
                async let two = app.call("/api/hello")
                #expect(try await [one.status, two.status] == [200, 200])
                #expect(await network.refreshes == 1, "calls that wait share one refresh")

                await store.spoil()
                await network.lose(1)
                await #expect(throws: LatchkeyError.tryLater) { try await app.call("/api/hello") }
                #expect(await store.kept?.refreshKey != nil, "kept before the refresh was sent")
                #expect(try await start().call("/api/hello").status == 200, "started again, it goes on with that key")
                #expect(await store.kept?.refreshKey == nil)

                await store.spoil()
                await network.answer(with: 503)
                await #expect(throws: LatchkeyError.tryLater) { try await app.call("/api/hello") }
                await network.answer(with: nil)
                #expect(try await app.call("/api/hello").status == 200, "503 signed nobody out")

                let last = await store.kept
                try await app.signOut()
                await #expect(throws: LatchkeyError.signedOut) { try await app.call("/api/hello") }
                await store.write(last)
                await #expect(throws: LatchkeyError.signedOut) { try await app.call("/api/hello") }
                #expect(await store.kept == nil)
            }
        }

        /// A body is JSON unless the caller's headers say otherwise, and refusals differ.
        private static func send(_ app: Latchkey) async throws {
            let named = try await app.call("/users/me", method: "PATCH", body: Data(#"{"name":"Betty"}"#.utf8))
            #expect(named.status == 200 && String(decoding: named.body, as: UTF8.self).contains("Betty"))
            let text = ["Content-Type": "text/plain"]
            #expect(try await app.call("/api/echo", method: "POST", headers: text, body: Data("a".utf8)).status == 200)
            await #expect(throws: LatchkeyError.refused(status: 400, code: "invalid_phone")) {
                try await app.requestCode("12")
            }
            let outcome = await Result.catching { for _ in 1...20 { try await app.requestCode("+15552007002") } }
            guard case .failure(LatchkeyError.tooMany(let seconds)) = outcome else { throw Missing() }
            #expect(seconds ?? 0 > 0)
        }

        private struct Missing: Error {}

        private static func signIn(_ app: Latchkey, _ store: MemoryStore, _ stack: LatchkeyStack) async throws {
            let phone = "+15552007001"
            try await app.requestCode(phone)
            let code = try await stack.code(for: phone)
            await #expect(throws: LatchkeyError.codeRefused) {
                try await app.signIn(phone, code: code == "111111" ? "222222" : "111111")
            }
            try await app.signIn(phone, code: code, attempt: "attempt-1")
            let first = await store.kept
            try await app.signIn(phone, code: code, attempt: "attempt-1")
            #expect(await store.kept?.refreshToken == first?.refreshToken, "a repeated sign-in is the same session")
        }
    }
}

extension Result where Failure == any Error {
    fileprivate static func catching(_ body: () async throws -> Success) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

private actor MemoryStore: Store {
    private(set) var kept: Kept?

    func read() -> Kept? { kept }
    func write(_ kept: Kept?) { self.kept = kept }
    /// Makes the gateway refuse the access token.
    func spoil() { kept?.accessToken = "old" }
}

/// A network that loses responses to the next refreshes, or replaces them.
private actor FaultyNetwork {
    private(set) var refreshes = 0
    private var losses = 0
    private var status: Int?

    func lose(_ count: Int) { losses = count }
    func answer(with status: Int?) { self.status = status }

    nonisolated var send: Latchkey.Send {
        { request in
            guard let url = request.url, url.path == "/auth/refresh" else {
                return try await URLSession.shared.data(for: request)
            }
            return try await self.refresh(request, url)
        }
    }

    private func refresh(_ request: URLRequest, _ url: URL) async throws -> (Data, URLResponse) {
        refreshes += 1
        if let status, let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        {
            return (Data(), response)
        }
        let answer = try await URLSession.shared.data(for: request)
        guard losses == 0 else {
            losses -= 1
            throw URLError(.networkConnectionLost)
        }
        return answer
    }
}
