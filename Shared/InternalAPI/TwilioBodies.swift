/// Twilio's word on what became of a message, as it came; otp-service, which alone has the token, judges its signature.
package struct TwilioCallback: Codable, Sendable, Equatable {
    /// The form, not decoded.
    package var body: String
    /// What stood behind `?` in the request's URL; nil: nothing did.
    package var query: String?
    /// The field `X-Twilio-Signature`.
    package var signature: String

    package init(body: String, query: String?, signature: String) {
        self.body = body
        self.query = query
        self.signature = signature
    }
}

/// What came of a `TwilioCallback`.
package struct TwilioCallbackAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case noted
        /// The signature is not by our token, or the account another one.
        case forged
        /// The body is no form.
        case malformed
        /// No sender is Twilio's, or none asks for callbacks.
        case off
    }

    package var result: Result

    package init(_ result: Result) { self.result = result }
}
