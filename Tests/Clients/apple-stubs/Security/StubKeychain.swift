public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The Keychain of the stub device. It behaves as Apple documents it, and fails on demand.
///
/// It is in memory, or in the file that `LATCHKEY_STUB_KEYCHAIN` names, which several processes and `run.py` share. Each
/// operation is one atomic step.
public enum StubKeychain {
    private static let memory = StubMemory()
    private static let file = ProcessInfo.processInfo.environment["LATCHKEY_STUB_KEYCHAIN"]

    /// Reads or changes the Keychain.
    @discardableResult
    public static func change<Result>(_ body: (inout StubKeychainState) -> Result) -> Result {
        guard let file else { return memory.change { body(&$0.keychain) } }
        let lock = unsafe open("\(file).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        flock(lock, LOCK_EX)
        defer { close(lock) }
        let place = URL(filePath: file)
        let read = (try? Data(contentsOf: place)).flatMap {
            try? JSONDecoder().decode(StubKeychainState.self, from: $0)
        }
        var state = read ?? StubKeychainState()
        let before = state
        let result = body(&state)
        if state != before { try? JSONEncoder().encode(state).write(to: place, options: .atomic) }
        return result
    }

    /// Runs once, just before the next update: another process that is faster.
    public static func beforeNextUpdate(_ body: @escaping @Sendable () -> Void) {
        memory.change { $0.beforeUpdate = body }
    }

    /// The folder of the app groups' containers, or `nil` for an app without the entitlement.
    public static var groupContainers: URL? {
        get { memory.change { $0.groupContainers } }
        set { memory.change { $0.groupContainers = newValue } }
    }

    static func perform(
        _ operation: StubFault.Operation, _ body: (inout StubKeychainState) -> OSStatus
    ) -> OSStatus {
        if operation == .update { memory.change { $0.takeHook() }?() }
        return change { state in
            let place = state.faults.firstIndex { $0.operations.contains(operation) && $0.times != 0 }
            guard let place else { return body(&state) }
            let fault = state.faults[place]
            if let times = fault.times { state.faults[place].times = times - 1 }
            if fault.isPerformed { _ = body(&state) }
            return fault.status
        }
    }
}

/// The process's own part of the stub device.
private final class StubMemory: @unchecked Sendable {
    struct Content {
        var keychain = StubKeychainState()
        var beforeUpdate: (@Sendable () -> Void)?
        var groupContainers: URL?

        mutating func takeHook() -> (@Sendable () -> Void)? {
            defer { beforeUpdate = nil }
            return beforeUpdate
        }
    }
    private var content = Content()
    private let lock = NSLock()

    func change<Result>(_ body: (inout Content) -> Result) -> Result { lock.withLock { body(&content) } }
}
