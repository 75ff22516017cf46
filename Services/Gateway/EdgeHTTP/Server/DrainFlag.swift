import Synchronization

/// Whether the server is about to exit, and finishes the requests under way.
package final class DrainFlag: Sendable {
    private let value = Atomic<Bool>(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .relaxed) }

    package func set() { value.store(true, ordering: .relaxed) }
}
