import Glibc
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import BenchCore

struct AttackTests {
    @Test func `a seed draws the same crowd again, another seed another one`() {
        var (first, again, other) = (draw(7), draw(7), draw(8))
        let plans = (0..<50).map { _ in (first.plan(), again.plan(), other.plan()) }
        #expect(plans.allSatisfy { $0.0.scripts == $0.1.scripts && $0.0.count == $0.1.count })
        #expect(plans.contains { $0.0.scripts != $0.2.scripts })
    }

    @Test func `every crowd keeps within its limits`() {
        for seed in 0..<500 {
            var draw = draw(UInt64(seed))
            let plan = draw.plan()
            #expect((1...4000).contains(plan.count) && (1...4).contains(plan.scripts.count))
            #expect(plan.scripts.allSatisfy { $0.repeats <= 1000 && $0.repeated.count <= 1 << 20 })
        }
    }

    @Test func `a plan's addresses are of the loopback, as many as it says, and none is 127.0.0.1`() {
        let plan = HostilePlan(scripts: [HostileScript()], count: 2000, addressCount: 600)
        let addresses = Set((0..<2000).map(plan.address))
        #expect(addresses.count == 600 && !addresses.contains("127.0.0.1") && !addresses.contains(OtherClients.address))
        for address in addresses { #expect(throws: Never.self) { try SocketAddress(ipAddress: address, port: 0) } }
    }

    @Test func `a hostile client sends what its script says, and its crowd is gone afterwards`() async throws {
        try await LoopbackServer.runStalled { port in
            let script = HostileScript(opening: [1, 2, 3], repeated: [4, 5], repeats: 10)
            let plan = HostilePlan(scripts: [script], count: 20, addressCount: 5)
            let tally = try await HostileCrowd.run(plan, port: port) { tally in
                try await eventually("all has been sent") { tally.sentBytes.load(ordering: .relaxed) == 20 * 23 }
                return tally
            }
            #expect(tally.openMost.load(ordering: .relaxed) == 20 && tally.openCount.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `the memory that the kernel keeps for a connection nobody reads is seen`() async throws {
        try await LoopbackServer.runStalled { port in
            let script = HostileScript(repeated: [UInt8](repeating: 0, count: 1 << 16), repeats: 8)
            let plan = HostilePlan(scripts: [script], count: 1, addressCount: 1)
            try await HostileCrowd.run(plan, port: port) { _ in
                try await eventually("the server's socket holds bytes") {
                    try await HeldMemory(of: getpid(), port: port, upstreamPorts: []).sockets > 0.03
                }
            }
        }
    }

    private func draw(_ seed: UInt64) -> HostileDraw { HostileDraw(seed: seed, bearer: "token") }
}
