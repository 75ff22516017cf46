public import Foundation

/// Several users of one device, each with a session of their own.
///
/// The list of users is a small file without tokens. It is read once; use one object for all of the app.
public final class LatchkeyAccounts: Sendable {
    private let configuration: LatchkeyAuth.Configuration
    private let makeStore: @Sendable (String) -> any SessionStore
    private let file: URL
    private let content: Locked<Content>

    private struct Content: Sendable {
        var list: AccountList
        var open: [String: LatchkeyAuth] = [:]
    }

    /// Opens the sessions of this device.
    ///
    /// - Parameters:
    ///   - configuration: the settings of every session; its profile is the first user's. Its store is not used.
    ///   - folder: the folder of the list; `nil` for one in the user's own data folder.
    ///   - store: makes the store of a profile; `nil` for the platform's own.
    /// - Throws: ``StoreFailure`` if there is a list that cannot be read.
    public init(
        _ configuration: LatchkeyAuth.Configuration, folder: URL? = nil,
        store: (@Sendable (_ profile: String) -> any SessionStore)? = nil
    ) throws(StoreFailure) {
        let data = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        let folder =
            folder
            ?? (data ?? FileManager.default.temporaryDirectory).appending(path: "latchkey", directoryHint: .isDirectory)
        self.configuration = configuration
        makeStore = store ?? { PlatformStore.make(profile: $0) }
        file = folder.appending(path: "accounts.json", directoryHint: .notDirectory)
        content = Locked(Content(list: try AccountList(file, first: configuration.profile)))
    }

    /// The sessions, in the order in which they were added. Some may be signed out.
    public var all: [LatchkeyAuth] { profiles.map(session) }

    /// The session that the app shows.
    public var current: LatchkeyAuth { session(content.withLock { $0.list.current }) }

    /// Returns a session for another user to sign in, and makes it the current one.
    ///
    /// A session that no user has signed in to is used first.
    /// - Throws: ``StoreFailure`` if the list cannot be written: the user would be signed out by the next start.
    public func add() throws(StoreFailure) -> LatchkeyAuth {
        if let empty = all.first(where: { $0.state == .signedOut(nil) }) {
            try select(empty)
            return empty
        }
        let profile = "user-" + RandomBytes.token().prefix(8)
        try change { $0.add(profile) }
        return session(profile)
    }

    /// Makes a session the current one.
    public func select(_ auth: LatchkeyAuth) throws(StoreFailure) {
        let profile = auth.configuration.profile
        try change { $0.select(profile) }
    }

    /// Signs a user out and removes their session from the list. The last session stays, signed out.
    public func remove(_ auth: LatchkeyAuth) async throws(StoreFailure) {
        let profile = auth.configuration.profile
        await auth.signOut()
        try change { $0.remove(profile) }
        content.withLock { content in
            if !content.list.profiles.contains(profile) { content.open[profile] = nil }
        }
    }

    private var profiles: [String] { content.withLock { $0.list.profiles } }

    private func session(_ profile: String) -> LatchkeyAuth {
        if let auth = content.withLock({ $0.open[profile] }) { return auth }
        var settings = configuration
        settings.profile = profile
        settings.store = makeStore(profile)
        let made = LatchkeyAuth(settings)
        return content.withLock { content in
            // Another thread may have been faster.
            let auth = content.open[profile] ?? made
            content.open[profile] = auth
            return auth
        }
    }

    private func change(_ body: (inout AccountList) -> Void) throws(StoreFailure) {
        let list = content.withLock { content in
            body(&content.list)
            return content.list
        }
        try list.write(to: file)
    }
}
