import CryptoPrimitives
import InternalAPI

/// The origin of a change, for the audit.
package struct RequestOrigin: Sendable, Equatable {
    /// The id that the gateway gave the client's request.
    package let requestID: String?
    /// The session that makes the change.
    package let sessionID: String?
    /// The method of a sign-in; for actions of an operator `OperatorName.auditText`, or `operatorMethod` without a name; and
    /// `administratorMethod` for actions of an administrator, with their pseudonym unless they are the record's subject; or
    /// `clientMethod` with a client's id.
    package let method: String?
    /// The administrator's reason for an action, which is stored with the record's detail.
    package var reason: String?

    static let operatorMethod = "operator"
    static let administratorMethod = "administrator"
    static let clientMethod = "client"

    /// The administrator on whose request the current task runs; `nil` if there is none.
    @TaskLocal static var ofAdministrator: RequestOrigin?

    package init(
        requestID: String? = nil, sessionID: String? = nil, method: String? = nil, reason: String? = nil
    ) {
        self.requestID = requestID
        self.sessionID = sessionID
        self.method = method
        self.reason = reason
    }

    /// An action of the administrator on whose request the current task runs, or else of the operator in the assertion of the
    /// current call.
    package static func byOperator(_ requestID: String?) -> RequestOrigin {
        ofAdministrator
            ?? RequestOrigin(requestID: requestID, method: OperatorName.current?.auditText ?? operatorMethod)
    }

    /// An action of an administrator through the API.
    static func by(
        _ administrator: User, sessionID: String, reason: String?, requestID: String?
    ) -> RequestOrigin {
        RequestOrigin(
            requestID: requestID, sessionID: sessionID,
            method: "\(administratorMethod):\(Hex.encode(administrator.pseudonym.bytes))", reason: reason)
    }

    /// An action of the holder of an `AdminKeys` key. No client's id has a colon.
    static func byKey(_ name: String, requestID: String?) -> RequestOrigin {
        RequestOrigin(requestID: requestID, method: "\(clientMethod):key:\(name)")
    }

    /// An action of a client through the API for administrators.
    static func by(_ client: APIClient, requestID: String?) -> RequestOrigin {
        RequestOrigin(requestID: requestID, sessionID: client.sidText, method: "\(clientMethod):\(client.id)")
    }
}
