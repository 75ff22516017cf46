public import Foundation

/// The way in which a page of the web opens, until it comes back to the app. ``SystemBrowser`` is the system's own.
public protocol Browser: Sendable {
    /// Whether a page can come back to the app by this URL on this device.
    func canReturn(to redirect: URL) -> Bool

    /// Opens a page, and returns the URL with which it comes back: `redirect` with a query.
    ///
    /// It closes the page if its task is cancelled. It throws ``AuthError/cancelled`` if the user closes the page, and
    /// ``AuthError`` or any other error if the page cannot open.
    func open(_ page: URL, returningTo redirect: URL) async throws -> URL
}

extension Browser {
    public func canReturn(to redirect: URL) -> Bool { true }
}
