public import Dispatch
import Foundation

/// A stand-in that a test moves: ``StubNetwork/path`` is the path of all monitors.
public final class NWPathMonitor: @unchecked Sendable {
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?

    public init() {}

    public func start(queue: DispatchQueue) { StubNetwork.add(self) }

    public func cancel() { StubNetwork.remove(self) }
}

public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

    public let status: Status
    public let availableInterfaces: [NWInterface]
}

public struct NWInterface: Sendable, Hashable {
    public let name: String
}

/// The network of the stub device.
public enum StubNetwork {
    nonisolated(unsafe) private static var monitors: [NWPathMonitor] = []  // Touched only while `lock` is held.
    private static let lock = NSLock()

    public static func tell(_ status: NWPath.Status, _ interfaces: String...) {
        let path = NWPath(status: status, availableInterfaces: interfaces.map(NWInterface.init))
        for monitor in lock.withLock({ monitors }) { monitor.pathUpdateHandler?(path) }
    }

    public static var count: Int { lock.withLock { monitors.count } }

    static func add(_ monitor: NWPathMonitor) { lock.withLock { monitors.append(monitor) } }

    static func remove(_ monitor: NWPathMonitor) { lock.withLock { monitors.removeAll { $0 === monitor } } }
}
