import EdgeHTTP
import NIOCore

/// The cookies of a page's session in a request.
struct PageCookies: Sendable, Equatable {
    /// The value of a cookie.
    enum Value: Sendable, Equatable {
        case absent
        /// The cookie is there without a value, which counts as none.
        case empty
        case text(String)
        /// The request has the cookie more than once, so that it is unclear which one counts.
        case ambiguous

        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    private(set) var refresh = Value.absent
    private(set) var page = Value.absent
    private(set) var access = Value.absent
    /// Whether the request has none of the cookies.
    private(set) var isEmpty = true

    /// Reads the `Cookie` fields of a head, of which HTTP/2 allows several (RFC 9113 section 8.2.3).
    ///
    /// A name counts only as it is set, and a value as it is: quotes are part of it, and make it invalid.
    init(_ block: HeaderBlock, named names: CookieNames) {
        block.forEachCookie { name, value in
            func isNamed(_ text: String) -> Bool {
                name.count == text.utf8.count && block.view(name).elementsEqual(text.utf8)
            }
            if isNamed(names.refresh) {
                note(block.text(value), as: \.refresh)
            } else if isNamed(names.page) {
                note(block.text(value), as: \.page)
            } else if isNamed(names.access) {
                note(block.text(value), as: \.access)
            }
        }
    }

    private mutating func note(_ value: String, as cookie: WritableKeyPath<PageCookies, Value>) {
        isEmpty = false
        let first = value.isEmpty ? Value.empty : .text(value)
        self[keyPath: cookie] = self[keyPath: cookie] == .absent ? first : .ambiguous
    }

    /// Whether the request has one of the cookies more than once.
    var isAmbiguous: Bool { [refresh, page, access].contains(.ambiguous) }
}
