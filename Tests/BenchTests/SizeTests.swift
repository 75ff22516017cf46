import Testing

@testable import BenchCore

struct SizeTests {
    private static func size(_ users: Int, _ costs: MeasuredCosts = .ours) -> Size {
        Size(load: DailyLoad(users: users), costs: costs)
    }

    @Test func `what is not said is as usual, and what is said counts`() {
        let usual = DailyLoad(users: 3_000_000)
        #expect(usual.sessions == 3_000_000 && usual.signIns == 100_000)
        #expect(usual.refreshes == 10_000_000 && usual.requests == 100_000_000)
        let given = DailyLoad(users: 3, sessions: 4, signIns: 5, refreshes: 6, requests: 7)
        #expect([given.sessions, given.signIns, given.refreshes, given.requests] == [4, 5, 6, 7])
        #expect(DailyLoad.busiest(36_000) == 1)
    }

    @Test func `each process is busy with its part of sign-ins, refreshes and requests`() throws {
        let costs = MeasuredCosts(values: [
            "signin.cpu.gateway": 100, "signin.cpu.otp": 300, "postgres.ratio.signin.cpu.total": 1.5,
            "postgres.tokens.RS256.cpu.gateway": 20, "postgres.tokens.RS256.cpu.postgres": 40, "gateway.cpu.gateway": 3,
        ])
        let load = DailyLoad(users: 1, signIns: 36_000_000, refreshes: 72_000_000, requests: 360_000_000)
        let cores = Dictionary(uniqueKeysWithValues: Size(load: load, costs: costs).cores)
        // 1,000 sign-ins, 2,000 refreshes and 10,000 requests a second.
        #expect(cores["gateway"] == 0.17 && cores["otp"] == 0.3 && cores["user"] == 0)
        #expect(cores["postgres"] == 0.28)
    }

    @Test func `there are two gateways at least, and as many as keep each half idle`() {
        #expect(Self.size(1000).gateways == 2)
        let busy = Self.size(100_000_000)
        let cores = busy.cores.first { $0.process == "gateway" }?.cores ?? 0
        #expect(cores > 1 && busy.gateways == (cores * 2).rounded(.up))
    }

    @Test func `ten times the users need ten times the memory and disk, and the fullest is first`() throws {
        let (small, large) = (Self.size(1_000_000), Self.size(10_000_000))
        #expect(abs(large.redisMegabytes / small.redisMegabytes - 10) < 0.001)
        #expect(abs(large.diskMegabytes / small.diskMegabytes - 10) < 0.001)
        #expect(small.used.map(\.share) == small.used.map(\.share).sorted(by: >))
        #expect(try #require(small.used.first).name == "redis-memory")
    }

    @Test func `a file's costs replace ours, and every cost has a value`() throws {
        let line = String(
            decoding: try FigureRecord(Figure("gateway.cpu.gateway", 57.4, .microseconds), run: 1, machine: "m").line(),
            as: UTF8.self)
        let costs = try MeasuredCosts.ours.replaced(by: line)
        #expect(costs[.request] == 57.4 && costs[.session] == MeasuredCosts.ours[.session])
        #expect(throws: (any Error).self) { try MeasuredCosts.ours.replaced(by: "no JSON") }
        for cost in MeasuredCosts.Cost.allCases { #expect(MeasuredCosts.ours[cost] > 0, "\(cost)") }
        for process in ["gateway", "token", "redis", "postgres"] {
            #expect(MeasuredCosts.ours.signIn(process) > 0 && MeasuredCosts.ours.refresh(process) > 0, "\(process)")
        }
    }

    @Test func `it prints each figure once, and refuses a file that --json has not written`() async throws {
        let names = Self.size(1_000_000).figures.map(\.name)
        #expect(
            Set(names).count == names.count && names.contains("size.cores.token") && names.contains("size.gateways"))
        #expect(try await Command.main(["size", "--users", "10"]) == 0)
        #expect(try await Command.main(["size", "--from", "/nonexistent"]) == 64)
    }
}
