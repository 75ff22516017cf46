import AuthAPI
import TestSupport

/// How many answers of an upstream that is out of step reach somebody who did not ask for them.
package struct DesyncBench: Sendable {
    package static let foreignMax = 5.0
    /// For which the bound holds, and for which the figure is only said.
    private static let judgedClients = 8
    private static let manyClients = 64
    /// One request in so many is answered with 204.
    private static let emptyOneIn = 5

    let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    /// The responses that clients received.
    struct Sightings: Sendable {
        var requests = 0
        /// Answers that belong to another request.
        var foreign = 0
        /// Refusals, and requests without an answer.
        var failures = 0

        static func + (one: Sightings, other: Sightings) -> Sightings {
            Sightings(
                requests: one.requests + other.requests, foreign: one.foreign + other.foreign,
                failures: one.failures + other.failures)
        }
    }

    /// - Parameter add: gets the figures of one number of clients after the other.
    package func run(_ add: ([Figure]) throws -> Void) async throws {
        for clients in [Self.judgedClients, Self.manyClients] {
            // A stack of its own each: what a gateway has learnt of the upstream must not help the next.
            let seen = try await DesynchronisingUpstream.run { upstream in
                let settings = [
                    "LATCHKEY_UPSTREAM": "http://127.0.0.1:\(upstream.port)",
                    "LATCHKEY_POLICIES_DIR": Build.own.policies,
                ]
                return try await LatchkeyStack.run(name: "bench-desync", environment: settings) { stack in
                    try await sightings(clients, stack)
                }
            }
            let isJudged = clients == Self.judgedClients
            let name = "desync.\(clients)"
            try add([
                Figure(
                    "\(name).foreign", Double(seen.foreign), .count, bound: isJudged ? .atMost(Self.foreignMax) : nil),
                Figure("\(name).requests", Double(seen.requests), .count),
                Figure("\(name).failures", Double(seen.failures), .count),
            ])
        }
    }

    private func sightings(_ clients: Int, _ stack: LatchkeyStack) async throws -> Sightings {
        let bearer = try await stack.signIn(name: "Betty").tokens.accessToken
        guard let port = stack.gateway.base.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw UnexpectedReply(description: "the gateway's address has no port")
        }
        let end = ContinuousClock.now + .seconds(seconds)
        return try await withThrowingTaskGroup(of: Sightings.self) { group in
            for client in 0..<clients { group.addTask { try await ask(client, bearer, port, until: end) } }
            return try await group.reduce(Sightings(), +)
        }
    }

    private func ask(
        _ client: Int, _ bearer: String, _ port: Int, until end: ContinuousClock.Instant
    ) async throws -> Sightings {
        var seen = Sightings()
        var connection: LoadConnection?
        while ContinuousClock.now < end {
            let id = "\(client)-\(seen.requests)"
            let isEmpty = seen.requests % Self.emptyOneIn == client % Self.emptyOneIn
            let path = (isEmpty ? DesynchronisingUpstream.emptyPath : DesynchronisingUpstream.echoPath) + id
            let request = LoadRequest("GET", path, headers: [("Authorization", "Bearer \(bearer)")])
            seen.requests += 1
            do {
                let open: LoadConnection
                if let connection { open = connection } else { open = try await .open(port: port) }
                connection = open
                let answer = try await open.send(request)
                let isOwn = isEmpty ? answer.status == 204 : answer.status == 200 && answer.body == Array(id.utf8)
                if answer.status == 200, !isOwn { seen.foreign += 1 } else if !isOwn { seen.failures += 1 }
            } catch {
                // A connection that ended is a request without an answer; the next one opens another.
                seen.failures += 1
                await connection?.close()
                connection = nil
            }
        }
        await connection?.close()
        return seen
    }
}
