import EdgeHTTP
import InternalAPI

/// The status callbacks of providers of text messages.
extension NativeDialect {
    private static let formType = "application/x-www-form-urlencoded"

    /// `POST /webhooks/twilio/status`: receives the delivery status of a message.
    @Sendable func takeCallback(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let mediaType = request.head.text("content-type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard mediaType == Self.formType, let body = String(validating: request.body, as: UTF8.self) else {
            throw .invalid(member: "Content-Type")
        }
        guard let signature = request.head.text("x-twilio-signature") else { throw .forgedCallback }
        let target = request.head.target
        let query = target.firstIndex(of: UInt8(ascii: "?")).map {
            String(decoding: target[($0 + 1)...], as: UTF8.self)
        }
        try await useCases.takeCallback.twilio(
            TwilioCallback(body: body, query: query, signature: signature), ClientCall(request))
        return Reply(status: 204, headers: [], body: [])
    }
}
