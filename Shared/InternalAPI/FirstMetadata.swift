/// The metadata that a client sends with a request for a code, for the user that the code may create.
package struct FirstMetadataRequest: Codable, Sendable, Equatable {
    /// The phone number or the email address, as the client wrote it.
    package var recipient: String
    /// A JSON object, within the limits of `own`.
    package var own: String

    package init(recipient: String, own: String) { (self.recipient, self.own) = (recipient, own) }
}
