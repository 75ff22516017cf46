import FoundationEssentials
import Synchronization
import TestSupport

/// Clients that send one POST after another, each with a name of its own.
struct EdgeLoad: Sendable {
    static let clientCount = 16

    /// One POST, and its result.
    struct Operation: Sendable {
        let name: String
        let begin: ContinuousClock.Instant
        let duration: Duration
        /// `nil` if there was no response.
        let status: Int?

        var hasFailed: Bool { status != 200 }
    }

    /// Sends the operation of a name and returns the status.
    let send: @Sendable (String) async throws -> Int

    /// Sends while `body` runs, and returns all operations.
    func run(during body: () async throws -> Void) async throws -> [Operation] {
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: [Operation].self) { group in
            for _ in 0..<Self.clientCount { group.addTask { await operations(until: isOver) } }
            do {
                try await body()
                isOver.set()
            } catch {
                isOver.set()
                throw error
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func operations(until isOver: Flag) async -> [Operation] {
        var operations: [Operation] = []
        while !isOver.isSet {
            let (name, begin) = (UUID().uuidString, ContinuousClock.now)
            var status: Int?
            do { status = try await send(name) } catch { status = nil }
            operations.append(
                Operation(name: name, begin: begin, duration: ContinuousClock.now - begin, status: status))
        }
        return operations
    }
}

/// The rules for a round with disturbed servers.
enum EdgeChecker {
    /// Returns the violations of a round.
    ///
    /// - Parameters:
    ///   - received: the operations that each server has received.
    ///   - bad: the position of the server that was disturbed; `nil` if none was, so that nothing may fail.
    static func findings(_ operations: [EdgeLoad.Operation], received: [[String]], bad: Int?) -> [String] {
        var counts: [String: Int] = [:]
        for name in received.joined() { counts[name, default: 0] += 1 }
        var findings = counts.filter { $0.value > 1 }.map { "POST \($0.key) was sent \($0.value) times" }
        findings += operations.filter { !$0.hasFailed && counts[$0.name] == nil }.map {
            "POST \($0.name) was answered by no server"
        }
        let failures = operations.filter(\.hasFailed)
        let good = Set(received.indices.filter { $0 != bad }.flatMap { received[$0] })
        findings += failures.filter { good.contains($0.name) || bad == nil }.map {
            "POST \($0.name) failed with \($0.status.map(String.init) ?? "no response"), at a good server"
        }
        // At most the requests that were in flight at the fault fail, and as many that try the server later.
        if failures.count > 2 * EdgeLoad.clientCount { findings.append("\(failures.count) requests failed") }
        return findings
    }
}
