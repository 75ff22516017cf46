import HTTPTypes
import Hummingbird
import ServiceHTTP

/// An error as Resend words it: `{"statusCode":422,"message":"…","name":"validation_error"}`.
struct ResendError: Error, Sendable {
    let status: Int
    let name: String
    var message = "A scripted error."
    var headers: [String: String] = [:]

    static let missingKey = ResendError(status: 401, name: "missing_api_key", message: "Missing API key.")
    static let invalidKey = ResendError(status: 403, name: "invalid_api_key", message: "API key is invalid.")
    static let notFound = ResendError(status: 404, name: "not_found", message: "Email not found.")
    static let invalidIdempotencyKey = ResendError(
        status: 400, name: "invalid_idempotency_key", message: "The key must be between 1 and 256 characters.")
    static let otherBody = ResendError(
        status: 409, name: "invalid_idempotent_request", message: "Same idempotency key, another payload.")
    static let concurrent = ResendError(
        status: 409, name: "concurrent_idempotent_requests", message: "The same request is in progress.")
    static let internalError = ResendError(status: 500, name: "internal_server_error", message: "Something broke.")

    static func invalid(_ message: String) -> ResendError {
        ResendError(status: 422, name: "validation_error", message: message)
    }

    func response() throws -> Response {
        var response = try jsonResponse(
            Body(statusCode: status, message: message, name: name), status: .init(code: status))
        for (name, value) in headers { HTTPField.Name(name).map { response.headers[$0] = value } }
        return response
    }

    private struct Body: Encodable {
        let statusCode: Int
        let message, name: String
    }
}
