#if canImport(Network)
import Dispatch
import Network
#endif
#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// The changes that the operating system reports: the app comes to the foreground or goes to the background, the device is
/// unlocked for the first time, the network comes back.
///
/// On macOS no app goes to the background, on watchOS only the network is followed, and elsewhere nothing changes.
public struct SystemSurroundings: Surroundings {
    private let surroundings: any Surroundings

    public init() {
        #if canImport(Network)
        surroundings = NotificationSurroundings(changesByName: Self.names, followNetwork: Self.followNetwork)
        #else
        surroundings = FixedSurroundings()
        #endif
    }

    public var changes: AsyncStream<Change> { surroundings.changes }

    #if canImport(UIKit) && !os(watchOS)
    private static let names: [Notification.Name: Change] = [
        UIApplication.willEnterForegroundNotification: .foreground,
        UIApplication.didEnterBackgroundNotification: .background,
        UIApplication.protectedDataDidBecomeAvailableNotification: .protectedDataThere,
    ]
    #elseif canImport(AppKit)
    private static let names: [Notification.Name: Change] = [NSApplication.didBecomeActiveNotification: .foreground]
    #elseif canImport(Network)
    private static let names: [Notification.Name: Change] = [:]
    #endif

    #if canImport(Network)
    @Sendable
    private static func followNetwork(_ tell: @escaping @Sendable (NetworkRule.Path) -> Void) -> @Sendable () -> Void {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            tell(NetworkRule.Path(isThere: path.status == .satisfied, interfaces: path.availableInterfaces.map(\.name)))
        }
        monitor.start(queue: DispatchQueue(label: "latchkey.network"))
        return { monitor.cancel() }
    }
    #endif
}
