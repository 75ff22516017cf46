public import Foundation
public import LatchkeyAuth

/// A browser that opens nothing: a test says what a page brings back.
///
/// ```swift
/// configuration.browser = ScriptedBrowser(bringing: "code=1234")
/// ```
public final class ScriptedBrowser: Browser {
    private let query: String
    private let schemes: Set<String>?
    private let opened = Guarded<[URL]>([])

    /// - Parameters:
    ///   - query: the query with which each page comes back, or `nil` if the user closes it.
    ///   - schemes: the schemes of the redirects that the browser can use; `nil` for all.
    public init(bringing query: String?, schemes: Set<String>? = nil) {
        self.query = query ?? ""
        self.schemes = schemes
    }

    /// The pages that were opened.
    public var pages: [URL] { opened.change { $0 } }

    public func canReturn(to redirect: URL) -> Bool { schemes?.contains(redirect.scheme ?? "") ?? true }

    public func open(_ page: URL, returningTo redirect: URL) async throws -> URL {
        opened.change { $0.append(page) }
        guard !query.isEmpty, let link = URL(string: "\(redirect.absoluteString)?\(query)") else {
            throw AuthError.cancelled
        }
        return link
    }
}
