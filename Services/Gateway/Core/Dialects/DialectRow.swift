import EdgeHTTP
import Policies

/// One row of a dialect: a method, a path, who may ask, and how it is answered.
struct DialectRow: Sendable {
    enum Access: Sendable, Equatable {
        /// No token needed.
        case open
        /// A valid, unrevoked access token.
        case bearer
    }

    /// Which requests the edge counts by address.
    enum Counting: Sendable, Equatable {
        case all
        /// Refused requests. Used where a service counts what is served, or a provider's own requests must get through.
        case refused
        /// No requests: public keys and files.
        case nothing
    }

    /// Decodes the request, has a use case do it, and encodes what came of it.
    typealias Answer = @Sendable (EndpointRequest, UseCases) async throws(Refusal) -> Reply

    let method: HTTPMethod
    let pattern: RoutePattern
    let access: Access
    let counting: Counting
    /// Members by any of which a body is this dialect's, where it shares the path with others.
    let members: Set<String>
    /// Whether another dialect may answer at this path instead: its row does the same, or has its own way to.
    private(set) var yields: Bool
    /// Whether every spelling of the path in large and small letters is this row's.
    let ignoresCase: Bool
    /// Whether requests for the host of another dialect are refused in that dialect's shape.
    let refusesAsHost: Bool
    let answer: Answer

    init(
        _ method: HTTPMethod, _ path: StaticString, _ access: Access, counting: Counting = .all,
        members: Set<String> = [], yields: Bool = false, ignoresCase: Bool = false, answer: @escaping Answer
    ) {
        self.init(
            method, at: RoutePattern(literal: path), access, counting: counting, members: members, yields: yields,
            ignoresCase: ignoresCase, answer: answer)
    }

    /// A row whose path the policy names.
    init(
        _ method: HTTPMethod, at pattern: RoutePattern, _ access: Access, counting: Counting = .all,
        members: Set<String> = [], yields: Bool = false, ignoresCase: Bool = false, refusesAsHost: Bool = false,
        answer: @escaping Answer
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.counting = counting
        self.members = members
        self.yields = yields
        self.ignoresCase = ignoresCase
        self.refusesAsHost = refusesAsHost
        self.answer = answer
    }

    /// The row where another dialect may answer in its place.
    var yielding: DialectRow {
        var row = self
        row.yields = true
        return row
    }

    /// The pattern under which the row is filed: in lower case where it ignores case.
    var foundPattern: RoutePattern { ignoresCase ? pattern.lowercased : pattern }
}
