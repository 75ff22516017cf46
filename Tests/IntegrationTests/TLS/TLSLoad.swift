import TestSupport

/// Clients that ask over TLS without pause; some of them shake hands for each request, and then rest: in a debug build a
/// handshake takes many milliseconds of all that there are.
struct TLSLoad: Sendable {
    private static let clients = 6
    private static let handshakers = 2
    private static let pause: Duration = .milliseconds(50)

    let stack: LatchkeyStack
    let token: String
    let progress = Progress()

    /// Runs `body` while they ask.
    func during(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let base = TestHTTPClient(base: stack.tls ?? "")
        try await base.withConnections(Self.clients, trusting: TLSStackContext.authority) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<Self.clients {
                    group.addTask {
                        while !progress.isOver {
                            await progress.note { try await ask(client, once: index < Self.handshakers) }
                        }
                    }
                }
                group.addTask {
                    defer { progress.finish() }
                    try await body()
                }
                try await group.waitForAll()
            }
        }
    }

    /// Waits until so many more have been answered.
    func untilMoreSucceed(_ count: Int) async throws {
        let before = progress.successes
        try await eventually("\(count) more answers") { progress.successes >= before + count }
    }

    private func ask(_ client: TestHTTPClient, once: Bool) async throws {
        let headers = [("Authorization", "Bearer \(token)")] + (once ? [("Connection", "close")] : [])
        let answer = try await client.send("GET", "/api/hello", headers: headers)
        // A gateway that has not heard of Redis for 100 ms has answered over TLS all the same; one that ends says that it closes.
        let isBusy = answer.status == 503 && answer.headers["connection"] != "close"
        guard answer.status == 200 || isBusy else { throw UnexpectedAnswer(to: "GET /api/hello", answer) }
        if once { try await Task.sleep(for: Self.pause) }
    }
}
