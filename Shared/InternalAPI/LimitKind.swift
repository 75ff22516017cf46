/// The kind of limit that refused a request, as far as its client may learn it: the native API's member `limit` of a 429.
///
/// No kind depends on whether a phone number or an email address has an account.
package enum LimitKind: String, Codable, Sendable, CaseIterable {
    /// Too many guesses: wrong codes or passwords have locked the phone number, the email address or the code.
    case lockout
    /// Too many messages, or their budget is used up.
    case sends
    /// Too many requests of the client.
    case requests
}
