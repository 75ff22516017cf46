/// The methods that are answered or passed on.
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"

    /// Whether it asks for no change (RFC 9110 section 9.2.1), so that it may be sent again.
    package var isSafe: Bool { self == .get || self == .head || self == .options }

    /// Whether requests of this method have a body, if only an empty one.
    var bringsBody: Bool { self == .post || self == .put || self == .patch }
}
