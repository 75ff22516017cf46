/// A user's session with a Latchkey server.
///
/// Create one at the start of the app and keep it. What is known is there at once, and ``accessToken(validFor:)`` sends
/// nothing while the token is fresh:
///
/// ```swift
/// let auth = LatchkeyAuth(.init(baseURL: URL(string: "https://api.example.com")!))
/// let (data, response) = try await auth.data(for: URLRequest(url: profileURL))
/// ```
///
/// Several processes may use the same store, such as an app and its widget. They need no lock: a renewal that two of them
/// send is the same request, and the newest tokens win.
public final class LatchkeyAuth: Sendable {
    let engine: Engine
    let configuration: Configuration
    let discovered = Locked<Discovered?>(nil)
    let signIns = CallsUnderWay<SignIn>()
    let questions = CallsUnderWay<Bool>()
    let askingPart = Locked<AskingPart?>(nil)
    let openPage = OpenPage()
    /// Whether the app has used passkeys since its start.
    let usesPasskeys = Locked(false)
    private let surroundings: Task<Void, Never>

    /// Creates a session and reads the store. Nothing is sent but a sign-out that did not reach the server before.
    public init(_ configuration: Configuration) {
        let engine = Engine(configuration)
        self.engine = engine
        self.configuration = configuration
        engine.start()
        let changes = configuration.surroundings.changes
        surroundings = Task {
            for await change in changes {
                let jitter = Double.random(in: 0...1)
                engine.feed { .changed(change, jitter: jitter, $0) }
            }
        }
    }

    deinit {
        surroundings.cancel()
        engine.finish()
    }

    // MARK: - What is known

    /// The present state, without waiting.
    public var state: State { engine.state }

    /// The present state and every later one. Each stream begins with the present state; a slow reader sees the newest.
    public var states: AsyncStream<State> { engine.states }

    /// The changes from now on. A handler may call anything, since no lock is held.
    public var events: AsyncStream<Event> { engine.events }

    /// The profile as the server last returned it; `nil` if it is not known or the app is in the background.
    public var user: User? { engine.user }

    // MARK: - Tokens

    /// Returns an access token.
    ///
    /// A fresh one is returned at once. One that ends soon is renewed; callers that come meanwhile wait for the same renewal.
    /// If that fails, a token that still lives is returned.
    ///
    /// - Parameter minimum: the lifetime that the token should have left.
    public func accessToken(validFor minimum: Duration = .seconds(30)) async throws(AuthError) -> String {
        if let token = engine.freshToken(validFor: minimum) { return token }
        return try await engine.ask { .wanted(caller: $0, validFor: minimum, $1) }
    }

    /// Returns another access token in place of one that an API has answered with 401.
    ///
    /// - Throws: ``AuthError/refusedAgain`` if the token was renewed less than 30 seconds ago: a newer one would be refused
    ///   as well.
    public func accessToken(insteadOf refused: String) async throws(AuthError) -> String {
        try await engine.ask { .refusedByAPI(caller: $0, token: refused, $1) }
    }

    // MARK: - Signing out

    /// Signs out: here at once, whether or not there is a network, then on the server. It does not throw.
    ///
    /// The call returns once the sign-out is stored and the server has confirmed it; it waits for 10 seconds at most for each.
    /// A server that could not be reached is told later, for 30 days. ``SignOutScope/others`` ends all sessions of the user
    /// but this one.
    @discardableResult
    public func signOut(_ scope: SignOutScope = .thisSession) async -> SignOutResult {
        guard scope == .others else { return await engine.signOut(everywhere: scope == .all) }
        do throws(AuthError) {
            try await authorized(API.Call(method: .delete, path: "/sessions"))
            return SignOutResult(isStored: true, isConfirmed: true)
        } catch {
            return SignOutResult(isStored: true, isConfirmed: false)
        }
    }

    /// Calls a function whenever the session has ended, with the reason. Cancel the result to end this.
    @discardableResult
    public func onSignedOut(_ body: @escaping @Sendable (SignOutReason) async -> Void) -> Task<Void, Never> {
        let events = events
        return Task { for await case .signedOut(let reason) in events { await body(reason) } }
    }
}
