import Delivery

/// Twilio's parts besides its senders.
struct TwilioParts: Sendable {
    /// The Verify Service; `nil` if no sender uses one.
    var verifications: TwilioVerifications?
    /// The provider's check of the codes that it makes; `nil` if the codes are ours.
    var checker: (any CodeChecker)?
    /// The receiver of delivery reports; `nil` if Twilio is not asked to send them.
    var callbacks: TwilioCallbacks?
    /// Receives the phone number of each right code of ours.
    var approved: @Sendable (String) -> Void = { _ in }
}
