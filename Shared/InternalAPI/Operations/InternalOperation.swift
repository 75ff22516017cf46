/// One operation that a service offers to other processes: all that both sides must agree on.
package struct InternalOperation<
    Request: Codable & Sendable, Answer: Codable & Sendable, Refusal: InternalRefusal
>: Sendable {
    package let method: InternalRequest.Method
    package let path: String
    /// Who may call; everybody else is refused with `assertion_refused`.
    package let callers: Set<Caller>
    /// Whether the caller passes on the access token of the user for whom it asks.
    package let isOnBehalfOfBearer: Bool
    /// How long the caller waits, for all tries together; less when its own caller waits less.
    package let timeLimit: Duration
    package let repeats: Repeats
    package let body: RequestForm<Request, Refusal>

    /// What a body that breaks the agreement is refused with; nil without a body.
    package var invalidRequest: Refusal? { if case .json(let refusal) = body { refusal } else { nil } }
}

extension InternalOperation where Refusal: RequestBodyRefusal {
    /// An operation whose request is a JSON body.
    package init(
        _ method: InternalRequest.Method, _ path: String, from callers: Set<Caller>, onBehalfOfBearer: Bool = false,
        timeLimit: Duration = TimeLimit.ofServices, repeats: Repeats
    ) {
        self.init(
            method: method, path: path, callers: callers, isOnBehalfOfBearer: onBehalfOfBearer, timeLimit: timeLimit,
            repeats: repeats, body: .json(refusedWith: .invalidRequest))
    }
}

extension InternalOperation where Request == NoBody {
    /// An operation whose request has no body.
    package init(
        _ method: InternalRequest.Method, _ path: String, from callers: Set<Caller>, onBehalfOfBearer: Bool = false,
        timeLimit: Duration = TimeLimit.ofServices, repeats: Repeats
    ) {
        self.init(
            method: method, path: path, callers: callers, isOnBehalfOfBearer: onBehalfOfBearer, timeLimit: timeLimit,
            repeats: repeats, body: .absent(NoBody()))
    }
}

/// What it does to carry out the same request a second time.
package enum Repeats: Sendable {
    /// Nothing that the first time did not do, so a transport may send the request again when no answer came. A request
    /// whose repeat its members do not show carries a `callID`.
    ///
    /// An operation that is not so needs a case of its own, a `callID`, and a table that keeps the first answer for as long
    /// as repeats come, written in the transaction that acts.
    case harmless
}

/// How a request is written.
package enum RequestForm<Request: Sendable, Refusal: Sendable>: Sendable {
    /// Not at all: every request is this one.
    case absent(Request)
    /// As JSON; what does not decode is refused so.
    case json(refusedWith: Refusal)
}

/// The request of an operation without a body.
package struct NoBody: Codable, Sendable, Equatable {
    package init() {}
}

/// How long callers wait.
package enum TimeLimit {
    /// A service that takes longer is answered for with 503 (security guide F-43).
    package static let ofServices: Duration = .seconds(3)
    /// Hashes wait for 2 s at most, and an act makes two of them.
    package static let ofPasswords: Duration = .seconds(7)
    /// A message provider has `ofMessages`; the outcome of its try must not be lost.
    package static let ofCodeRequests: Duration = .seconds(7)
    /// A guess at a code that a provider has made: it is asked, between two steps of our own.
    package static let ofProvidersCodes: Duration = .seconds(7)
    package static let ofMessages: Duration = .seconds(5)
    /// A provider's keys are fetched for 2 s at most.
    package static let ofIdentityTokens: Duration = .seconds(5)
    /// Longer than an RSA key takes to be made on a slow machine.
    package static let ofOperators: Duration = .seconds(10)
}
