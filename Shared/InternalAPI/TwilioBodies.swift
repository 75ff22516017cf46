/// Twilio's callback about the delivery of a message, unchanged; otp-service, which has the auth token, checks its
/// signature.
package struct TwilioCallback: Codable, Sendable, Equatable {
    /// The form body, not decoded.
    package var body: String
    /// The query of the request's URL, without `?`; `nil` if there was none.
    package var query: String?
    /// The field `X-Twilio-Signature`.
    package var signature: String

    package init(body: String, query: String?, signature: String) {
        self.body = body
        self.query = query
        self.signature = signature
    }
}

/// The outcome of a `TwilioCallback`.
package struct TwilioCallbackAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case noted
        /// The signature was not made with our token, or the account is another one.
        case forged
        /// The body is not a form.
        case malformed
        /// No Twilio sender is set up, or none requests callbacks.
        case off
    }

    package var result: Result

    package init(_ result: Result) { self.result = result }
}
