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

    /// Returns the positions of connections in the order in which they are closed.
    private static func order(_ costs: [(held: Int, moved: Int)]) -> [Int] {
        let orders = costs.map {
            ClosingOrder(held: $0.held, moved: $0.moved, standing: Standing(.idle, milliseconds: 0))
        }
        return orders.indices.sorted { orders[$0] < orders[$1] }
    }

    @Test func `the connection that holds most for what it moves goes first`() {
        let unit = ClosingOrder.ordinaryBytes
        let costs = [(100, 100), (100, 0), (50, 0), (900, 9_000)].map { (held: $0 * unit, moved: $1 * unit) }
        #expect(Self.order(costs) == [1, 2, 0, 3])
    }

    @Test func `a new connection goes only after all that hold more than an ordinary request takes`() {
        let newConnection = (held: ClosingOrder.ordinaryBytes, moved: 0)
        let large = (held: 10 * ClosingOrder.ordinaryBytes, moved: 1 << 20)
        #expect(Set(Self.order([newConnection, large, newConnection, large]).prefix(2)) == [1, 3])
    }

    @Test func `of equal connections the lowest rank goes first, then the longest without progress`() {
        let standings: [(ConnectionRank, UInt64)] = [(.answering, 1), (.idle, 2), (.idle, 1), (.unfinished, 1)]
        let orders = standings.map {
            ClosingOrder(held: 1 << 20, moved: 0, standing: Standing($0, milliseconds: $1))
        }
        #expect(orders.indices.sorted { orders[$0] < orders[$1] } == [2, 1, 3, 0])
    }

    @Test func `connections are closed until enough is free`() {
        let loop = EmbeddedEventLoop()
        let census = LoopCensus(budget: .unbounded, eventLoop: loop)
        let connections = [20_000, 80_000, 1_000, 40_000].map { bytes in
            let connection = FakeConnection(bytes: bytes, on: loop) { census.remove($0) }
            census.add(connection)
            return connection
        }
        #expect(census.shed(0, sparesOrdinary: false) == 0)
        #expect(census.shed(100_000, sparesOrdinary: true) == 2)
        #expect(connections.map(\.hasGivenWay) == [false, true, false, true])
        #expect(census.shed(1 << 20, sparesOrdinary: true) == 1)
        #expect(connections.map(\.hasGivenWay) == [true, true, false, true])
        #expect(census.shed(1, sparesOrdinary: false) == 1 && census.bytes == 0)
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
        let censuses = loops.map { LoopCensus(budget: budget, eventLoop: $0) }
        func open(_ bytes: Int, on index: Int) -> FakeConnection {
            let connection = FakeConnection(bytes: bytes, on: loops[index]) { censuses[index].remove($0) }
            censuses[index].add(connection)
            return connection
        }
        let ordinary = (0..<(hogCount > 0 ? 8 : 100)).map { _ in open(12_000, on: 0) }
        let hogs = (0..<hogCount).map { _ in open(28_000, on: 1) }
        for _ in 0..<10 { for loop in loops { loop.run() } }
        #expect(budget.heldBytes <= budget.bytesMax)
        // Without larger ones an ordinary connection is closed too.
        #expect(ordinary.contains(where: \.hasGivenWay) == (hogCount == 0))
        #expect(hogs.contains(where: \.hasGivenWay) == (hogCount > 0))
    }
}
