import InternalAPI

/// The origin of a change, for the audit.
package struct RequestOrigin: Sendable, Equatable {
    /// The id that the gateway gave the client's request.
    package let requestID: String?
    /// The session that makes the change.
    package let sessionID: String?
    /// The method of a sign-in; for actions of an operator `OperatorName.auditText`, or `operatorMethod` without a name; and
    /// `administratorMethod` for queries of an administrator.
    package let method: String?

    static let operatorMethod = "operator"
    static let administratorMethod = "administrator"

    package init(requestID: String? = nil, sessionID: String? = nil, method: String? = nil) {
        self.requestID = requestID
        self.sessionID = sessionID
        self.method = method
    }

    /// An action of the operator in the assertion of the current call.
    package static func byOperator(_ requestID: String?) -> RequestOrigin {
        RequestOrigin(requestID: requestID, method: OperatorName.current?.auditText ?? operatorMethod)
    }
}
