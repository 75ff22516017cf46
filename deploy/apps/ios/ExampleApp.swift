import Foundation
import LatchkeyAuth
import SwiftUI
import UIKit

/// An app whose users sign in by phone, mail or Apple.
@main struct ExampleApp: App {
    @SwiftUI.State private var model = AuthModel(Self.makeAuth())
    @SwiftUI.State private var lock = LockModel(LockGate(.afterIdle(.seconds(300))))
    @SwiftUI.State private var link: URL?

    var body: some Scene {
        WindowGroup {
            RootView(link: $link)
                .environment(model)
                .environment(lock)
                .onOpenURL { url in if model.auth.isLink(url) { link = url } }
        }
    }

    /// The server's address is the only thing that an app has to set.
    private static func makeAuth() -> LatchkeyAuth {
        guard let server = URL(string: "https://api.example.com") else { fatalError("the server's address is no URL") }
        var configuration = LatchkeyAuth.Configuration(baseURL: server)
        configuration.deviceName = UIDevice.current.name
        #if DEBUG
        configuration.log = { line in print(line) }
        #endif
        return LatchkeyAuth(configuration)
    }
}

/// The screen for what is known about the session.
struct RootView: View {
    @Environment(AuthModel.self) private var model
    @Environment(LockModel.self) private var lock
    @Binding var link: URL?
    @SwiftUI.State private var isNew = false

    var body: some View {
        switch model.state {
        case .starting, .unavailable:
            // The user may be signed in: show neither the sign-in screen nor the app.
            ProgressView().accessibilityLabel("Starting")
        case .signedOut(let reason):
            SignInView(reason: reason, link: $link, isNew: $isNew)
        case .signedIn:
            if lock.isLocked {
                LockedView()
            } else if isNew {
                OnboardingView(isNew: $isNew)
            } else {
                HomeView()
            }
        }
    }
}
