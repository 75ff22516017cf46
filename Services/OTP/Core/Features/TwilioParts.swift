import Delivery

/// Twilio's parts next to its senders.
struct TwilioParts: Sendable {
    /// The Verify Service; `nil` if no sender uses one.
    var verifications: TwilioVerifications?
    /// Makes the codes, and checks them; `nil` if the codes are ours.
    var checker: (any CodeChecker)?
    /// `nil` if Twilio is not asked to report the delivery status of messages.
    var callbacks: TwilioCallbacks?
    /// Receives the number of each right code of ours.
    var approved: @Sendable (String) -> Void = { _ in }
}
