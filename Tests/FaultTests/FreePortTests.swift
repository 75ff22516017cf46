import TestSupport
import Testing

@Suite struct FreePortTests {
    /// Random ports would repeat some of so many.
    @Test func `no port is given out twice`() async throws {
        let ports = try await concurrently(1_000) { _ in try await FreePort.find() }
        #expect(Set(ports).count == ports.count)
    }
}
