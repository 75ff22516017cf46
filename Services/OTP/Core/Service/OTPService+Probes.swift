import Policies
package import ServiceCalls
package import ServiceKit

extension OTPService {
    /// Returns the requests by which an operator sees whether the providers of messages and mails can be reached.
    package static func probes(_ context: ProcessContext) throws -> [ProviderProbe] {
        let phones = try OTPSettings(context).probes()
        guard context.policy.sendsMail else { return phones }
        return try phones + MailSettings(context).probes()
    }

    /// Returns the mail server of `MAIL_SENDER=smtp`; `nil` with any other sender.
    package static func mailServer(_ context: ProcessContext) throws -> (host: String, port: Int)? {
        try context.policy.sendsMail ? MailSettings(context).server() : nil
    }
}
