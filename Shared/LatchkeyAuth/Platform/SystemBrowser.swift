#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
public import Foundation

// They declare UIWindow and NSWindow, for which ASPresentationAnchor is another name.
#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// The system's own sheet for signing in on a page of the web (`ASWebAuthenticationSession`). One is open at a time.
public struct SystemBrowser: Browser {
    /// Whether the page shares no cookies with the user's browser, so that the provider asks who signs in each time.
    public var isPrivate = false
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?

    /// Creates a browser whose sheet opens over the app's front window.
    @available(iOSApplicationExtension, unavailable, message: "Use init(over:)")
    @available(visionOSApplicationExtension, unavailable, message: "Use init(over:)")
    public init() { self.init { Self.frontWindow } }

    /// Creates a browser whose sheet opens over a window of the app's choice.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    /// Whether the system can return by this URL: one with a scheme of the app's own always, https from iOS 17.4 on.
    public func canReturn(to redirect: URL) -> Bool {
        switch redirect.scheme?.lowercased() {
        case nil, "http": return false
        case "https":
            guard #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) else { return false }
            return redirect.host() != nil && redirect.port == nil
        default: return true
        }
    }

    public func open(_ page: URL, returningTo redirect: URL) async throws -> URL {
        try await BrowserSheet.open(page, returningTo: redirect, isPrivate: isPrivate, over: window)
    }

    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor static var frontWindow: ASPresentationAnchor? {
        #if canImport(UIKit)
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        // On an iPad several windows of the app may be open.
        let front = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
        return front?.keyWindow ?? front?.windows.first
        #elseif canImport(AppKit)
        return NSApplication.shared.keyWindow ?? NSApplication.shared.mainWindow ?? NSApplication.shared.windows.first
        #endif
    }
}

/// A sheet, from its opening until the page returns or the user closes it.
@MainActor private final class BrowserSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
    /// The open sheet. The system shows no second one, so it closes before a later one opens.
    private static var current: BrowserSheet?
    private let window: ASPresentationAnchor
    private let result = FirstResult<URL>()
    private var session: ASWebAuthenticationSession?

    private init(_ window: ASPresentationAnchor) { self.window = window }

    static func open(
        _ page: URL, returningTo redirect: URL, isPrivate: Bool,
        over window: @MainActor @Sendable () -> ASPresentationAnchor?
    ) async throws -> URL {
        guard let window = window() else { throw refusal("no_window") }
        current?.close()
        let sheet = BrowserSheet(window)
        current = sheet
        defer { sheet.close() }
        return try await sheet.show(page, redirect, isPrivate)
    }

    private func show(_ page: URL, _ redirect: URL, _ isPrivate: Bool) async throws -> URL {
        let result = result
        // The system calls it on a queue of its own, so it must not belong to the main actor.
        let session = Self.session(page, redirect) { @Sendable link, error in
            result.finish(link.map { .success($0) } ?? .failure(Self.error(error)))
        }
        session.presentationContextProvider = self
        session.prefersEphemeralWebBrowserSession = isPrivate
        self.session = session
        // A sheet that does not start may still report why.
        if !session.start() { result.finish(.failure(Self.refusal("no_browser"))) }
        return try await result.value
    }

    private func close() {
        result.finish(.failure(AuthError.cancelled))
        session?.cancel()
        session = nil
        if Self.current === self { Self.current = nil }
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }

    private static func session(
        _ page: URL, _ redirect: URL, _ done: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> ASWebAuthenticationSession {
        if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *), redirect.scheme?.lowercased() == "https" {
            let path = redirect.path(percentEncoded: true)
            return ASWebAuthenticationSession(
                url: page, callback: .https(host: redirect.host() ?? "", path: path.isEmpty ? "/" : path),
                completionHandler: done)
        }
        return ASWebAuthenticationSession(url: page, callbackURLScheme: redirect.scheme, completionHandler: done)
    }

    /// The meaning of the system's error. For a host that the app's entitlement does not list, the system uses the code of a
    /// cancelled sheet, and says in its texts that the app is not associated with the host.
    private nonisolated static func error(_ error: (any Error)?) -> AuthError {
        guard let error = error as? ASWebAuthenticationSessionError else { return refusal("no_browser") }
        if [.presentationContextNotProvided, .presentationContextInvalid].contains(error.code) {
            return refusal("no_window")
        }
        guard error.code == .canceledLogin else { return refusal("no_browser") }
        let texts = error.errorUserInfo.values.compactMap { $0 as? String }
        return texts.contains { $0.contains("associated") } ? refusal("domain_not_associated") : .cancelled
    }

    private nonisolated static func refusal(_ code: String) -> AuthError {
        .refused(status: 0, code: code, requestID: nil)
    }
}
#endif
