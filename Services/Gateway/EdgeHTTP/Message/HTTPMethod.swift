/// The methods of requests that are answered or passed on.
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"

    /// Whether the method requests no change (RFC 9110 section 9.2.1), so that the request may be sent again.
    package var isSafe: Bool { self == .get || self == .head || self == .options }

    /// Whether requests of this method have a body, even if it is empty.
    var bringsBody: Bool { self == .post || self == .put || self == .patch }
}
