#if canImport(StubDarwin)
import AuthenticationServices
import UIKit

/// Windows of the stand-in for UIKit. A file that imports Testing cannot import it: Testing has a part for UIKit, on Apple's systems.
@MainActor enum StubWindows {
    static func make() -> ASPresentationAnchor { UIWindow() }

    /// Lets the app have a scene in the background with a key window, and an active one with this window.
    static func show(_ window: ASPresentationAnchor) {
        let (back, front) = (UIWindowScene(), UIWindowScene())
        back.activationState = .background
        back.keyWindow = UIWindow()
        front.windows = [window]
        UIApplication.shared.connectedScenes = [back, front]
    }

    static func clear() { UIApplication.shared.connectedScenes = [] }
}
#endif
