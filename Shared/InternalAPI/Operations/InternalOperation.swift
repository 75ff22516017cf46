/// An operation that a service offers to other processes: everything that both sides must agree on.
///
/// A repeat of the same request has no further effect, so a transport may resend it if no response came. A request whose repeat
/// cannot be recognised by its members contains a `callID`. An operation whose repeat does have an effect needs a table that keeps
/// the first response for as long as repeats may come, written in the same transaction as the change.
package struct InternalOperation<
    Request: Codable & Sendable, Answer: Codable & Sendable, Refusal: InternalRefusal
>: Sendable {
    package let method: InternalRequest.Method
    package let path: String
    /// The processes that may call; others are refused with `assertion_refused`.
    package let callers: Set<Caller>
    /// Whether the caller passes on the access token of the user on whose behalf it calls.
    package let isOnBehalfOfBearer: Bool
    /// How long the caller waits, over all attempts; less if its own caller waits less.
    package let timeLimit: Duration
    package let body: RequestForm<Request, Refusal>

    /// The refusal of a body that breaks the contract; `nil` if the operation has no body.
    package var invalidRequest: Refusal? { if case .json(let refusal) = body { refusal } else { nil } }
}

extension InternalOperation where Refusal: RequestBodyRefusal {
    /// An operation whose request is a JSON body.
    package init(
        _ method: InternalRequest.Method, _ path: String, from callers: Set<Caller>, onBehalfOfBearer: Bool = false,
        timeLimit: Duration = TimeLimit.ofServices
    ) {
        self.init(
            method: method, path: path, callers: callers, isOnBehalfOfBearer: onBehalfOfBearer, timeLimit: timeLimit,
            body: .json(refusedWith: .invalidRequest))
    }
}

extension InternalOperation where Request == NoBody {
    /// An operation whose request has no body.
    package init(
        _ method: InternalRequest.Method, _ path: String, from callers: Set<Caller>, onBehalfOfBearer: Bool = false,
        timeLimit: Duration = TimeLimit.ofServices
    ) {
        self.init(
            method: method, path: path, callers: callers, isOnBehalfOfBearer: onBehalfOfBearer, timeLimit: timeLimit,
            body: .absent(NoBody()))
    }
}

/// The form of a request.
package enum RequestForm<Request: Sendable, Refusal: Sendable>: Sendable {
    /// There is no body: every request is this value.
    case absent(Request)
    /// A JSON body; one that does not decode is refused with `refusedWith`.
    case json(refusedWith: Refusal)
}

/// The request of an operation without a body.
package struct NoBody: Codable, Sendable, Equatable {
    package init() {}
}

/// The time limits of callers.
package enum TimeLimit {
    /// If a service takes longer, the client gets 503 (security guide F-43).
    package static let ofServices: Duration = .seconds(3)
    /// A hash waits for at most 2 s, and an operation computes two of them.
    package static let ofPasswords: Duration = .seconds(7)
    /// A message provider has `ofMessages`; the outcome of its attempt must not be lost.
    package static let ofCodeRequests: Duration = .seconds(7)
    /// For checking a code that the provider generated: the provider is called between two steps of our own.
    package static let ofProvidersCodes: Duration = .seconds(7)
    package static let ofMessages: Duration = .seconds(5)
    /// Fetching a provider's keys takes at most 2 s.
    package static let ofIdentityTokens: Duration = .seconds(5)
    /// A code is exchanged at the provider within 2 s, and its keys may be fetched twice.
    package static let ofCodeExchanges: Duration = .seconds(8)
    /// user-service reads a page for about 2 s, and its last call takes up to 3 s.
    package static let ofExports: Duration = .seconds(7)
    /// Longer than generating an RSA key takes on a slow machine.
    package static let ofOperators: Duration = .seconds(10)
}
