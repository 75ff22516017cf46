import Foundation

/// Surroundings that follow the system's notifications and its reports of the network.
struct NotificationSurroundings: Surroundings {
    /// The notifications, and the changes that they tell.
    let changesByName: [Notification.Name: Change]
    /// Follows the network until the returned function is called; `nil` where the system reports none.
    var followNetwork: (@Sendable (@escaping @Sendable (NetworkRule.Path) -> Void) -> @Sendable () -> Void)?
    var center = NotificationCenter.default

    var changes: AsyncStream<Change> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { stream in
            let center = center
            // Tokens are only handed back to the center that has issued them.
            nonisolated(unsafe) let tokens = changesByName.map { name, change in
                center.addObserver(forName: name, object: nil, queue: nil) { _ in stream.yield(change) }
            }
            let rule = Locked(NetworkRule())
            let stop = followNetwork? { path in
                if rule.withLock({ $0.isBack(path) }) { stream.yield(.networkBack) }
            }
            stream.onTermination = { _ in
                for token in unsafe tokens { center.removeObserver(token) }
                stop?()
            }
        }
    }
}
