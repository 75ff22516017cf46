import ArgumentParser
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ControlCore

@Suite struct HealthCheckTests {
    private func check(_ path: String) async throws {
        let router = Router()
        router.get("/readyz") { _, _ in "ready\n" }
        router.get("/draining") { _, _ in HTTPResponse.Status.serviceUnavailable }
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
            .test(.live) { client in
                let port = try #require(client.port)
                try await HealthCheck.parse(["http://127.0.0.1:\(port)\(path)"]).run()
            }
    }

    @Test func `a server that is ready is healthy`() async throws {
        try await check("/readyz")
    }

    @Test func `a server that answers 503 is not`() async throws {
        await #expect(throws: CommandFailure.self) { try await check("/draining") }
    }

    @Test func `a port on which nobody listens, and what is no URL, are not`() async throws {
        for url in ["http://127.0.0.1:1/readyz", "readyz", "http://"] {
            await #expect(throws: CommandFailure.self) { try await HealthCheck.parse([url]).run() }
        }
    }
}
