import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite(.timeLimit(.minutes(5))) struct SmugglingTests {
    private static let membersPerFamily = 27
    /// The share of the members that the control has to get wrong.
    private static let controlShareMin = 0.8

    @Test func `there are families and members enough`() {
        #expect(SmugglingFamily.all.count >= 15)
        #expect(SmugglingFamily.all.count * Self.membersPerFamily >= 2000)
        #expect(Set(SmugglingFamily.all.map(\.name)).count == SmugglingFamily.all.count)
    }

    @Test(arguments: SmugglingFamily.all)
    func `no ambiguous message does harm, and a naive proxy lets them through`(family: SmugglingFamily) async throws {
        let upstream = try await SmugglingAttempt.upstream()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let found = try await harms(of: family, SmugglingAttempt(proxy: edge.address, upstream: upstream))
            #expect(found.isEmpty, "\(found)")
        }
        let naive = try await NaiveProxy.start(before: upstream.address)
        let missed = try await harms(
            of: family, SmugglingAttempt(proxy: naive.address, upstream: upstream, isControl: true))
        #expect(Double(missed.count) >= Double(Self.membersPerFamily) * Self.controlShareMin)
        await naive.stop()
        await upstream.stop()
    }

    /// Returns the harm that the members did, with the message that did it. The seed is the family's name, so that a
    /// failure can be repeated.
    private func harms(of family: SmugglingFamily, _ attempt: SmugglingAttempt) async throws -> [String] {
        var random = SeededGenerator(seed: family.name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        var harms: [String] = []
        for number in 0..<Self.membersPerFamily {
            let message = family.member(&random)
            guard let harm = try await attempt.harm(of: message, number: number) else { continue }
            harms.append("\(harm): \(message.pieces)")
        }
        return harms
    }
}
