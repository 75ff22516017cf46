/// A reason why a service does not do what was requested; the raw value is the `code` of the problem body on the wire.
///
/// Each operation declares those that it has. What they have in common stands in `RefusalCode`.
package protocol InternalRefusal: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

extension InternalRefusal {
    package var code: RefusalCode { RefusalCode(rawValue: rawValue) ?? .invalidRequest }
    package var status: Int { code.status }
}

/// The refusals of an operation whose request has a body, one of them for a body that breaks the contract.
package protocol RequestBodyRefusal: InternalRefusal {
    static var invalidRequest: Self { get }
}

/// The refusals of an operation on behalf of the bearer of an access token.
package protocol BearersRefusal: InternalRefusal {
    static var invalidToken: Self { get }
    static var accountInactive: Self { get }
}

/// The refusals of an operation that refuses only bodies that break the contract.
package enum InvalidRequestOnly: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
}

/// The refusals of an operation that never refuses.
package enum NoRefusal: InternalRefusal {
    package static let allCases: [NoRefusal] = []

    package var rawValue: String { switch self {} }

    package init?(rawValue: String) { nil }
}

/// Refusals of callers that may not use an operation or could not be authenticated. The caller treats them as an internal
/// error, not as a response.
package enum CallerRefusal: String, InternalRefusal {
    case assertionRefused = "assertion_refused"
}
