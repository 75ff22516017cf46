import ServiceLifecycle
import Testing

@testable import ServiceKit

/// The parts of a process as logs name them.
struct ProcessPartTests {
    private struct Keeper: Service {
        let key = "a secret"
        func run() async throws {}
    }

    @Test func `a part is named by its type, never by what it holds`() {
        #expect(ServiceGroupConfiguration.ServiceConfiguration(part: Keeper()).serviceName == "Keeper")
    }
}
