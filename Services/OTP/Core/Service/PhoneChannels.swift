import Policies
import ServiceKit

/// The policy's channels of codes to phones, as far as the senders of this deployment support them.
///
/// One policy serves deployments with different senders. A channel that no sender supports is left out with a warning, and a
/// request for it gets the same response as one for a channel that the policy does not have.
struct PhoneChannels {
    /// The channels that a client may request.
    let served: [PhoneChannel]
    /// The channels that are tried without a request.
    let fallback: [PhoneChannel]
    /// The channels of the policy that no sender supports, each once.
    let leftOut: [PhoneChannel]
    private let senders: String

    /// - Throws: `SettingsError` if no channel that a client may request is left.
    init(_ context: ProcessContext) throws {
        let (messages, senders) = (context.policy.messages, try context.phoneSenders())
        self.senders = senders.map(\.rawValue).joined(separator: ",")
        let hasWhatsApp = context.settings.variable(TwilioSettings.whatsAppFrom) != nil
        let canDo = { (channel: PhoneChannel) in senders.contains { $0.canDo(channel, hasWhatsApp: hasWhatsApp) } }
        served = messages.channels.filter(canDo)
        fallback = messages.fallback.filter(canDo)
        leftOut = PhoneChannel.allCases.filter { (messages.channels + messages.fallback).contains($0) && !canDo($0) }
        guard served.isEmpty, !senders.isEmpty else { return }
        throw SettingsError(
            "OTP_SENDER",
            "\(self.senders) cannot send by \(messages.channels.map(\.rawValue).joined(separator: ",")), the policy's "
                + "messages.channels. Add a sender that can, or a channel to the policy (deploy/docs/run/delivery.md).")
    }

    /// A warning for each channel that is left out; empty if no codes are sent to phones.
    var cautions: [String] {
        guard !senders.isEmpty else { return [] }
        return leftOut.map {
            "messages: no sender of OTP_SENDER=\(senders) can do \($0.rawValue), so it is left out: a request for it is "
                + "answered with unsupported_channel, and nothing falls back to it"
        }
    }
}
