import Foundation

/// A value behind a lock.
final class Guarded<Value>: @unchecked Sendable {
    // `value` is only accessed while the lock is held.
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) { self.value = value }

    func change<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}
