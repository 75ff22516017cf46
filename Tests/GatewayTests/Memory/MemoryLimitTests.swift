import NIOCore
import NIOEmbedded
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore
@testable import ServiceKit

@Suite struct MemoryLimitTests {
    private static func limit(_ files: [String: String], setting: String? = nil) throws -> MemoryLimit {
        try MemoryLimit.find(setting: setting) { files[$0] }
    }

    @Test func `the setting goes before the control group, and that before 256 MB`() throws {
        let files = ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "536870912\n"]
        #expect(try Self.limit(files, setting: "300") == MemoryLimit(bytes: 300 << 20, source: .setting))
        #expect(try Self.limit(files) == MemoryLimit(bytes: 512 << 20, source: .controlGroup))
        #expect(try Self.limit([:]) == MemoryLimit(bytes: 256 << 20, source: .fallback))
    }

    @Test(arguments: ["", "0", "63", "1048577", "-300", "256M", "99999999999999999999"])
    func `a setting that is no number of megabytes stops the start`(_ setting: String) {
        #expect(throws: SettingsError.self) { try Self.limit([:], setting: setting) }
    }

    @Test func `the least of a group and those above it holds`() throws {
        let files = [
            "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n",
            "/sys/fs/cgroup/a/memory.max": "104857600\n", "/sys/fs/cgroup/memory.max": "209715200\n",
        ]
        #expect(try Self.limit(files).bytes == 100 << 20)
    }

    @Test func `version 1 is read where version 2 says nothing, also by a path of the host`() throws {
        let groups = "12:cpu,cpuacct:/x\n5:memory:/docker/abc\n0::/docker/abc\n"
        let file = "/sys/fs/cgroup/memory/memory.limit_in_bytes"
        let limited = ["/proc/self/cgroup": groups, file: "268435456\n"]
        #expect(try Self.limit(limited) == MemoryLimit(bytes: 256 << 20, source: .oldControlGroup))
        let unlimited = ["/proc/self/cgroup": groups, file: "9223372036854771712\n"]
        #expect(try Self.limit(unlimited).source == .fallback)
    }

    @Test func `the default number of connections fits the default memory`() {
        let shares = MemoryShares(of: MemoryLimit.fallback.bytes)
        #expect(EdgePolicy().connectionsMax <= shares.connectionsMax)
        #expect(MemoryShares(of: 64 << 20).connectionsMax < EdgePolicy().connectionsMax)
        #expect(shares.connections + shares.tokenCache < 200 << 20)
    }

    @Test func `the memory of compose.tls.yaml admits 3,072 connections over TLS`() {
        #expect(MemoryShares(of: MemoryLimit.fallback.bytes).tlsConnectionsMax == 1_417)
        #expect(MemoryShares(of: 640 << 20).tlsConnectionsMax >= 3_072)
    }
}

@Suite struct MemoryBudgetTests {
    @Test(arguments: [
        (0, MemoryBudget.State.ample), (750, .ample), (751, .short), (1_000, .short), (1_001, .exceeded),
    ])
    func `memory is short at three quarters and exceeded above the bound`(_ held: Int, _ state: MemoryBudget.State) {
        #expect(MemoryBudget.state(held: held, max: 1_000) == state)
    }

    @Test func `above the bound a tenth of it is freed too, by each loop its part`() {
        #expect(MemoryBudget.excess(held: 1_000, max: 1_000) == 0)
        #expect(MemoryBudget.excess(held: 1_100, max: 1_000) == 200)
        #expect(MemoryBudget.part(of: 200, holding: 275, outOf: 1_100) == 50)
        #expect(MemoryBudget.part(of: 200, holding: 0, outOf: 1_100) == 0)
        #expect(MemoryBudget.part(of: 200, holding: 5, outOf: 0) == 0)
    }

    @Test func `who holds most for what he moves goes first, until enough is free`() {
        let unit = ShedOrder.ordinaryBytes
        let costs = [(100, 100), (100, 0), (50, 0), (900, 9_000), (0, 0)].map {
            ShedOrder.Cost(held: $0 * unit, moved: $1 * unit)
        }
        #expect(ShedOrder.worst(of: costs, toFree: 1) == [1])
        #expect(ShedOrder.worst(of: costs, toFree: 150 * unit) == [1, 2])
        #expect(ShedOrder.worst(of: costs, toFree: 10_000 * unit) == [1, 2, 0, 3])
        #expect(ShedOrder.worst(of: [], toFree: 10) == [])
    }

    @Test func `a newcomer goes only after all who hold more than an ordinary request takes`() {
        let newcomer = ShedOrder.Cost(held: ShedOrder.ordinaryBytes, moved: 0)
        let large = ShedOrder.Cost(held: 10 * ShedOrder.ordinaryBytes, moved: 1 << 20)
        #expect(ShedOrder.worst(of: [newcomer, large, newcomer, large], toFree: 20 * large.held).prefix(2) == [1, 3])
        #expect(ShedOrder.worst(of: [newcomer, large], toFree: large.held) == [1])
    }

    @Test func `receive buffers grow with what comes, to a bound, and the first alone is kept`() {
        var buffers = ReceiveBuffers()
        #expect(buffers.buffer(allocator: .init()).capacity == 512)
        for _ in 0..<20 { _ = buffers.record(actualReadBytes: buffers.buffer(allocator: .init()).capacity) }
        #expect(buffers.buffer(allocator: .init()).capacity == ReceiveBuffers.bytesMax)
        #expect(buffers.nextBufferSize() == nil && buffers.record(actualReadBytes: 1))
    }

    /// Connections are spread over loops by chance: all that fill the memory may be on one.
    @Test(arguments: [40, 0]) func `a loop with ordinary connections closes none while another has larger ones`(
        hogCount: Int
    ) {
        let budget = MemoryBudget(bytesMax: 1 << 20)
        let loops = [EmbeddedEventLoop(), EmbeddedEventLoop()]
        let holdings = loops.map { LoopHoldings(budget: budget, eventLoop: $0) }
        let ordinary = (0..<(hogCount > 0 ? 8 : 100)).map { _ in HeldBytes(12_000, in: holdings[0]) }
        let hogs = (0..<hogCount).map { _ in HeldBytes(28_000, in: holdings[1]) }
        for _ in 0..<10 { for loop in loops { loop.run() } }
        #expect(budget.heldBytes <= budget.bytesMax)
        // Without larger ones an ordinary connection is closed too.
        #expect(ordinary.contains(where: \.isClosed) == (hogCount == 0))
        #expect(hogs.contains(where: \.isClosed) == (hogCount > 0))
    }
}

/// A connection that holds so many bytes and does nothing.
private final class HeldBytes: HeldConnection {
    let bytes: Int
    let loop: LoopHoldings
    var holdings = ConnectionHoldings()
    var isClosed = false
    let rank = ConnectionStanding.Rank.unfinished

    init(_ bytes: Int, in loop: LoopHoldings) {
        (self.bytes, self.loop) = (bytes, loop)
        loop.add(self)
    }

    func noteHoldings() { loop.change(by: holdings.count(bytes, on: nil, upstream: nil)) }
    func look(isShort: Bool) {}
    func judgeRate() {}
    func shed() {
        isClosed = true
        loop.remove(self)
    }
}
