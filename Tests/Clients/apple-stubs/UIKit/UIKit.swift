public import Foundation

// The declarations of UIKit that the library uses.

@MainActor open class UIApplication {
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable")
}

@MainActor open class UIDevice {
    public static let current = UIDevice()

    public let name = "iPhone"
}
