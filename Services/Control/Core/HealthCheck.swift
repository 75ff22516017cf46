import ArgumentParser
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceCalls

/// `latchkeyctl healthcheck URL`: for containers, whose images have no curl.
struct HealthCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Exits with 0 if URL responds with a 2xx status within 3 seconds, otherwise with 1.")

    private static let timeLimitSeconds: Int64 = 3

    @Argument(help: "The URL, such as http://127.0.0.1:9090/readyz.")
    var url: String

    func run() async throws {
        let client = makeHTTPClient()
        let failure = await failure(client)
        try await client.shutdown()
        if let failure { throw CommandFailure(description: "\(url): \(failure)") }
    }

    /// Returns the problem, or `nil` if there is none.
    private func failure(_ client: HTTPClient) async -> String? {
        do {
            let response = try await client.execute(
                HTTPClientRequest(url: url), timeout: .seconds(Self.timeLimitSeconds))
            // The body is read to its end, so that the connection closes in order. Its text is for people with a browser.
            for try await _ in response.body {}
            return (200..<300).contains(response.status.code) ? nil : "responds with \(response.status.code)"
        } catch let error as HTTPClientError {
            return error.shortDescription
        } catch {
            return "\(error)"
        }
    }
}
