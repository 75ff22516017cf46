import AccessTokens
import HTTPTypes
import Hummingbird
package import InternalAPI
package import Logging

/// The facts about a call that a handler gets in addition to its request.
package struct ServiceCall: Sendable {
    /// The calling service, verified by its assertion.
    package let caller: Caller
    /// The token of the user on whose behalf the call is made; `nil` if there is none, or the operation accepts none.
    package let accessToken: String?
    /// The id that the gateway gave the client's request; `nil` if it is unsuitable for a log.
    package let requestID: String?
    package let logger: Logger

    init(of caller: Caller, _ request: Request, _ context: ServiceRequestContext, hasBearer: Bool) {
        self.caller = caller
        accessToken = hasBearer ? Self.accessToken(request.headers[values: .authorization]) : nil
        requestID = Self.requestID(request)
        logger = context.logger
    }

    /// Returns the token if there is exactly one `Authorization` field.
    private static func accessToken(_ fields: [String]) -> String? {
        fields.count == 1 ? BearerToken.parse(Array(fields[0].utf8)).map { String(decoding: $0, as: UTF8.self) } : nil
    }

    private static func requestID(_ request: Request) -> String? {
        guard let id = requestIDField.flatMap({ request.headers[$0] }), id.utf8.count <= requestIDBytesMax,
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return id
    }

    private static let requestIDField = HTTPField.Name("X-Request-Id")
    private static let requestIDBytesMax = 128
}
