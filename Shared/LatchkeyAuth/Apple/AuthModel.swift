#if canImport(Observation)
public import Observation

/// A session for SwiftUI: views that read the state or the profile are drawn again when it changes.
///
/// ```swift
/// @SwiftUI.State private var model = AuthModel(auth)
/// var body: some View { if model.isSignedIn { Home() } else { SignIn() } }
/// ```
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class AuthModel {
    /// The session itself, for calls.
    @ObservationIgnored public let auth: LatchkeyAuth
    /// The present state. It is known at the first frame.
    public private(set) var state: State
    /// The profile as the server last returned it; `nil` if it is not known or the app is in the background.
    public private(set) var user: User?

    /// Whether a user is signed in, with or without a network.
    public var isSignedIn: Bool {
        if case .signedIn = state { true } else { false }
    }

    /// Whether the session cannot be renewed at present, such as without a network: show a banner.
    public var isOverdue: Bool {
        if case .signedIn(let session) = state, case .overdue = session.freshness { true } else { false }
    }

    public init(_ auth: LatchkeyAuth) {
        self.auth = auth
        state = auth.state
        user = auth.user
        // The stream ends with the session.
        let news = auth.engine.news
        Task { [weak self] in
            for await _ in news {
                guard let self else { return }
                show()
            }
        }
    }

    private func show() {
        if state != auth.state { state = auth.state }
        if user != auth.user { user = auth.user }
    }
}
#endif
