import HTTPTypes
import Hummingbird
import ServiceHTTP

/// An error in Twilio's own envelope (integration guide 1.2.6).
struct TwilioFault: Error, Sendable {
    let code: Int
    let status: Int
    var message = "A scripted error."
    var headers: [String: String] = [:]

    static let unauthorized = TwilioFault(code: 20_003, status: 401, message: "Authenticate")
    static let internalError = TwilioFault(code: 20_500, status: 500, message: "Internal server error")

    static func notFound(_ what: String) -> TwilioFault {
        TwilioFault(code: 20_404, status: 404, message: "The requested resource \(what) was not found")
    }

    static func invalid(_ name: String, _ value: String) -> TwilioFault {
        TwilioFault(code: 60_200, status: 400, message: "Invalid parameter `\(name)`: \(value)")
    }

    func response() throws -> Response {
        let body = Body(
            code: code, message: message, more_info: "https://www.twilio.com/docs/errors/\(code)", status: status)
        var response = try jsonResponse(body, status: .init(code: status))
        for (name, value) in headers { HTTPField.Name(name).map { response.headers[$0] = value } }
        return response
    }

    private struct Body: Encodable {
        let code: Int
        let message, more_info: String
        let status: Int
    }
}
