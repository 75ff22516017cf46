/// Why a service does not do what it is asked; the raw value is the `code` of the problem body on the wire.
package protocol InternalRefusal: RawRepresentable<String>, CaseIterable, Sendable {
    /// Of the HTTP answer: 4xx, for the service itself is well.
    var status: Int { get }
}

/// The refusals of an operation whose request has a body: one that breaks the agreement is among them.
package protocol RequestBodyRefusal: InternalRefusal {
    static var invalidRequest: Self { get }
}

/// The refusals of an operation that refuses nothing but a body that breaks the agreement.
package enum InvalidRequestOnly: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"

    package var status: Int { 400 }
}

/// The refusals of an operation that has none.
package enum NoRefusal: InternalRefusal {
    package static let allCases: [NoRefusal] = []

    package var rawValue: String { switch self {} }
    package var status: Int { switch self {} }

    package init?(rawValue: String) { nil }
}

/// What a service says to those whom an operation is not for, or whom it does not know at all: to a caller a fault of its
/// own, and no answer.
package enum CallerRefusal: String, InternalRefusal {
    case assertionRefused = "assertion_refused"

    package var status: Int { 401 }
}
