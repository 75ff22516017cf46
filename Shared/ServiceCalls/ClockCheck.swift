package import InternalAPI
import ServiceKit
import ServiceLifecycle

/// Calls each service every two seconds, so that both notice that their clocks differ before a user does.
package struct ClockCheck: Service {
    /// Every service answers here, once it has accepted the assertion.
    package static let path = "/internal/clock"
    static let interval: Duration = .seconds(2)

    private let transports: [any InternalTransport]

    package init(_ transports: [any InternalTransport]) { self.transports = transports }

    package func run() async throws {
        await repeatUntilShutdown(every: Self.interval) {
            await withTaskGroup(of: Void.self) { group in
                for transport in transports { group.addTask { await Self.call(transport) } }
            }
        }
    }

    private static func call(_ transport: any InternalTransport) async {
        // A service that does not respond says nothing about its clock. The transport notes the rest.
        do { _ = try await transport.send(InternalRequest(.get, path, timeLimit: interval)) } catch {}
    }
}
