#if canImport(os)
import os
#else
import Synchronization
#endif

/// A value behind a lock that is held for microseconds.
///
/// `Mutex` needs iOS 18, so Apple's platforms use their own lock.
final class Locked<Value: Sendable>: Sendable {
    #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Value>

    init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { lock.withLockUnchecked(body) }
    #else
    private let lock: Mutex<Value>

    init(_ value: Value) { lock = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { value in body(&value) }
    }
    #endif
}
