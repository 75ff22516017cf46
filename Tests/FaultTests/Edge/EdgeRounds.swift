import AuthAPI
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Faults {
    /// The servers of an upstream killed, frozen, slow, unreadable, added and removed under load, and services killed.
    @Suite(.serialized, .timeLimit(.minutes(120))) struct EdgeRounds {
        private enum Fault: String, CaseIterable {
            case kill, freeze, slow, garbage, dropping, reload, services
        }

        private static let (oldUpstreams, oldRoutes) = ("upstreams:\n", "  - path: /api/**\n")
        private static let routes =
            "  - { path: /load/*, upstream: load, access: bearer, timeoutSeconds: 3 }\n" + oldRoutes

        private static func policy(_ servers: [EdgeUpstream]) -> [String: String] {
            let urls = servers.map { "\"\($0.url)\"" }.joined(separator: ", ")
            return [oldUpstreams: oldUpstreams + "  load: [\(urls)]\n", oldRoutes: routes]
        }

        /// Runs `body` with three servers.
        private func withServers(_ body: ([EdgeUpstream]) async throws -> Void) async throws {
            try await withScratchFolder { folder in
                var servers: [EdgeUpstream] = []
                for _ in 0..<3 { servers.append(try await EdgeUpstream(in: folder)) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for server in servers { group.addTask { try await server.run() } }
                    do { try await body(servers) } catch {
                        for server in servers { server.stop() }
                        throw error
                    }
                    for server in servers { server.stop() }
                    try await group.waitForAll()
                }
            }
        }

        @Test func `only requests in flight fail, and no POST is sent twice`() async throws {
            let run = FaultRun("edge", shortRounds: 1)
            try await withServers { servers in
                try await LatchkeyStack.run(name: "EdgeRounds", policy: Self.policy(servers)) { stack in
                    try await stack.gateway.withConnections(EdgeLoad.clientCount) { gateway in
                        for number in 0..<run.rounds {
                            let token = try await stack.signIn().tokens.accessToken
                            let load = EdgeLoad { name in
                                try await gateway.post("/load/\(name)", "{}", bearer: token).status
                            }
                            for fault in Fault.allCases {
                                try await round(number, fault, servers, load, stack, run)
                            }
                        }
                    }
                }
            }
        }

        /// Waits until each of the servers gets requests.
        private static func untilServed(_ servers: [EdgeUpstream], _ load: EdgeLoad) async throws {
            let before = try servers.map { try $0.received().count }
            try await eventually("all servers get requests") {
                do { _ = try await load.send("before-\(UUID().uuidString)") } catch { return false }
                return try zip(servers, before).allSatisfy { try $0.received().count > $1 }
            }
        }

        private func round(
            _ number: Int, _ fault: Fault, _ servers: [EdgeUpstream], _ load: EdgeLoad, _ stack: LatchkeyStack,
            _ run: FaultRun
        ) async throws {
            // The server of the last round may still be skipped.
            try await Self.untilServed(servers, load)
            let disturbed = number % servers.count
            let begin = ContinuousClock.now
            let operations = try await load.run {
                try await Task.sleep(for: .seconds(1))
                try await inflict(fault, on: disturbed, of: servers, stack)
                try await Task.sleep(for: .seconds(1))
            }
            let bad: Int? = [.slow, .reload, .services].contains(fault) ? nil : disturbed
            var findings = try EdgeChecker.findings(operations, received: servers.map { try $0.received() }, bad: bad)
            findings += latencyFindings(operations, from: begin, isSlow: fault == .slow)
            for finding in findings { Issue.record("round \(number), \(fault.rawValue): \(finding)") }
            run.report(
                "\(fault.rawValue): \(operations.count) requests, \(operations.count(where: \.hasFailed)) failed")
            #expect(operations.count > 10 * EdgeLoad.clientCount)
        }

        /// Disturbs a server for four seconds, or kills the services behind the gateway, one after another.
        private func inflict(
            _ fault: Fault, on position: Int, of servers: [EdgeUpstream], _ stack: LatchkeyStack
        ) async throws {
            let server = servers[position]
            switch fault {
            case .kill:
                for _ in 0..<4 {
                    server.signal(SIGKILL)
                    try await Task.sleep(for: .seconds(1))
                }
            case .freeze:
                server.signal(SIGSTOP)
                defer { server.signal(SIGCONT) }
                try await Task.sleep(for: .seconds(4))
            case .slow: try await answer(.slow, from: server)
            case .garbage: try await answer(.garbage, from: server)
            case .dropping: try await answer(.dropping, from: server)
            case .reload:
                var others = servers
                others.remove(at: position)
                for list in [others, servers, others, servers] {
                    try reload(list, stack)
                    try await Task.sleep(for: .seconds(1))
                }
            case .services:
                for name in ["token", "user", "otp"] {
                    try await stack.restart(name, by: SIGKILL)
                }
            }
        }

        private func answer(_ mode: EdgeUpstream.Mode, from server: EdgeUpstream) async throws {
            try server.answer(mode)
            try await Task.sleep(for: .seconds(4))
            try server.answer(.good)
        }

        private func reload(_ servers: [EdgeUpstream], _ stack: LatchkeyStack) throws {
            try PolicyText.howru(changing: Self.policy(servers)).write(
                toFile: stack.dataDirectory + "/policy.yaml", atomically: true, encoding: .utf8)
            try stack.signal("gateway", SIGHUP)
        }

        /// Compares the p99 from the third second of the fault on with that of the second before it. Only a long run, with nothing
        /// else on the machine, has the figures for it.
        private func latencyFindings(
            _ operations: [EdgeLoad.Operation], from begin: ContinuousClock.Instant, isSlow: Bool
        ) -> [String] {
            guard FaultRun.isLong, !isSlow else { return [] }
            func p99(_ range: Range<Duration>) -> Duration {
                let times = operations.filter { range.contains($0.begin - begin) }.map(\.duration).sorted()
                return times.isEmpty ? .zero : times[times.count * 99 / 100]
            }
            let (normal, later) = (p99(.zero..<(.seconds(1))), p99(.seconds(4)..<(.seconds(5))))
            return later > max(normal + normal, .milliseconds(20)) ? ["p99 is \(later), and was \(normal)"] : []
        }

        // MARK: - The checker

        @Test func `the checker notices a client that sends a POST twice, and a failure at a good server`() async throws
        {
            try await withServers { servers in
                let clients = servers.map { TestHTTPClient(base: $0.url) }
                let twice = EdgeLoad { name in
                    do {
                        return try await clients[0].send("POST", "/load/\(name)", body: Array("x".utf8)).status
                    } catch {
                        return try await clients[1].send("POST", "/load/\(name)", body: Array("x".utf8)).status
                    }
                }
                try await Self.untilServed([servers[0]], twice)
                let operations = try await twice.run {
                    try servers[0].answer(.dropping)
                    try await Task.sleep(for: .seconds(1))
                }
                let received = try servers.map { try $0.received() }
                let findings = EdgeChecker.findings(operations, received: received, bad: 0)
                #expect(findings.contains { $0.hasSuffix("was sent 2 times") })
                let name = try #require(received[1].first)
                let failed = EdgeLoad.Operation(name: name, begin: .now, duration: .zero, status: 502)
                #expect(EdgeChecker.findings([failed], received: [[], [name]], bad: 0).count == 1)
                #expect(EdgeChecker.findings([failed], received: [[name], []], bad: 0).isEmpty)
                #expect(EdgeChecker.findings([failed], received: [[name], []], bad: nil).count == 1)
            }
        }
    }
}
