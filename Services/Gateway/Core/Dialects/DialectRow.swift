import EdgeHTTP
import Policies

/// One row of a dialect: a method, a path, the access that it needs, and the function that answers it.
struct DialectRow: Sendable {
    enum Access: Sendable, Equatable {
        /// The row needs no token.
        case open
        /// The row needs a valid, unrevoked access token.
        case bearer
    }

    /// Which requests the edge counts by IP address.
    enum Counting: Sendable, Equatable {
        case all
        /// Refused requests. Used where a service counts what is served, or a provider's own requests must get through.
        case refused
        /// No requests: public keys and files.
        case nothing
    }

    /// Decodes the request, runs a use case and encodes its result.
    typealias Answer = @Sendable (ClientRequest, UseCases) async throws(Refusal) -> Reply

    let method: HTTPMethod
    let pattern: RoutePattern
    let access: Access
    let counting: Counting
    /// Members that mark a body as this dialect's, if it shares the path with other dialects.
    let members: Set<String>
    /// Whether another dialect may answer at this path instead, since its row does the same or offers its own way to.
    private(set) var yields: Bool
    /// Whether every spelling of the path in large and small letters is this row's.
    let ignoresCase: Bool
    /// Whether requests for the host of another dialect are refused in that dialect's shape.
    let refusesAsHost: Bool
    /// Whether a page's cookies play no part in the request, so that any page may cause it.
    let ignoresCookies: Bool
    /// Whether the row is for administrators: only the addresses of the policy reach it, and its users are counted.
    private(set) var isForAdministrators = false
    /// Whether only requests for the host of its dialect reach it.
    var isAtHostOnly = false
    /// The dialect in whose shape requests to the row are refused; `nil` for the row's own.
    var refusing: (any Dialect)?
    let answer: Answer
    /// The row's statements for the API document, made when they are read; `nil` if it has none.
    var operation: @Sendable () -> APIOperation? = { nil }

    /// The headers of refusals, in addition to the dialect's. A browser that another page sent here shows the refusal, and its
    /// address may contain a code.
    var refusalHeaders: [(String, String)] { ignoresCookies ? [("Referrer-Policy", "no-referrer")] : [] }

    init(
        _ method: HTTPMethod, _ path: StaticString, _ access: Access, counting: Counting = .all,
        members: Set<String> = [], yields: Bool = false, ignoresCase: Bool = false, answer: @escaping Answer
    ) {
        self.init(
            method, at: RoutePattern(literal: path), access, counting: counting, members: members, yields: yields,
            ignoresCase: ignoresCase, answer: answer)
    }

    /// Creates a row whose path the policy specifies.
    init(
        _ method: HTTPMethod, at pattern: RoutePattern, _ access: Access, counting: Counting = .all,
        members: Set<String> = [], yields: Bool = false, ignoresCase: Bool = false, refusesAsHost: Bool = false,
        ignoresCookies: Bool = false, answer: @escaping Answer
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.counting = counting
        self.members = members
        self.yields = yields
        self.ignoresCase = ignoresCase
        self.refusesAsHost = refusesAsHost
        self.ignoresCookies = ignoresCookies
        self.answer = answer
    }

    /// This row, changed so that another dialect may answer in its place.
    var yielding: DialectRow {
        var row = self
        row.yields = true
        return row
    }

    /// This row, changed so that only administrators reach it.
    var forAdministrators: DialectRow {
        var row = self
        row.isForAdministrators = true
        return row
    }

    /// The pattern under which the row is found: in lower case if it ignores case.
    var foundPattern: RoutePattern { ignoresCase ? pattern.lowercased : pattern }
}
