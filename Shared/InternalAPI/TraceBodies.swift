/// Requests the events of a phone number or an email address; answered with `TraceAnswer`.
package struct TraceRequest: Codable, Sendable, Equatable {
    package static let hoursMax: Int64 = 48

    /// A full phone number with its calling code, or an email address.
    package var to: String
    /// 1 to `hoursMax`.
    package var hours: Int64
    /// The administrator who reads, as audit records contain them; `nil` if it is the operator.
    package var administrator: String?

    package init(to: String, hours: Int64, administrator: String? = nil) {
        self.to = to
        self.hours = hours
        self.administrator = administrator
    }
}

/// The events, oldest first.
package struct TraceAnswer: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        /// Unix time in seconds; that of the first event if an entry covers several.
        package var at: Int64
        package var count: Int64
        /// `refused`, `tried`, `callback`, `guessed`, `undecided`; newer services may add others.
        package var kind: String
        /// The id that the gateway gave the client's request.
        package var requestID: String?
        /// refused: rule, end (Unix seconds). tried: channel, sender, message id, outcome. callback: message id, status,
        /// code. guessed: result. undecided: why.
        package var details: [String]

        package init(at: Int64, count: Int64, kind: String, requestID: String?, details: [String]) {
            self.at = at
            self.count = count
            self.kind = kind
            self.requestID = requestID
            self.details = details
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }
}
