public import Foundation

// The declarations of UIKit that the library uses.

@MainActor open class UIApplication {
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable")

    public static let shared = UIApplication()

    public var connectedScenes: Set<UIScene> = []
}

@MainActor open class UIScene: NSObject {
    public enum ActivationState: Sendable { case foregroundActive, foregroundInactive, background, unattached }

    public var activationState = ActivationState.foregroundActive
}

@MainActor open class UIWindowScene: UIScene {
    public var windows: [UIWindow] = []
    public var keyWindow: UIWindow?
}

@MainActor open class UIWindow: NSObject {}

@MainActor open class UIDevice {
    public static let current = UIDevice()

    public let name = "iPhone"
}
