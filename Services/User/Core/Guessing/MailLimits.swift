import CoreMetrics
import EmailAddresses
import Policies
import RedisClient

/// A request for a mail about an account.
struct AccountMail: Sendable {
    /// The purpose of the mail, which selects its quotas.
    enum Purpose: String, Sendable {
        case registration
        /// New links for open registrations; counted as a registration.
        case resend
        case reset

        /// The quota that the request counts against.
        fileprivate var quota: String { self == .reset ? "r" : "c" }
    }

    let purpose: Purpose
    let address: EmailAddress
    /// The password of a registration. With another password it is another request.
    var password: String?
    let client: IPAddress?
    /// Identifies the call, whose own retries do not count as repeats.
    let call: CallTag
    /// Unix time in seconds.
    let now: Int64

    /// Everything that two requests share if one repeats the other. It contains the whole email address: two spellings of one
    /// mailbox may belong to two accounts, and a request for one must not suppress the mail for the other.
    fileprivate var sameness: String { [purpose.rawValue, address.text, password ?? ""].joined(separator: "\n") }
}

/// The result of counting a request for a mail.
enum MailVerdict: Sendable, Equatable {
    /// The mail may be written.
    case admitted(OutboxPlace.Asker)
    /// No mail may be written, and the response must not show it. The quota of the mailbox or of the deployment is used up, or
    /// the same request came a moment ago.
    case silent
    /// The client's network has made too many requests, for whichever email addresses.
    case limited(retryAfterSeconds: Int64)
}

extension GuessLimits {
    /// Counts a request for a mail before anything is written.
    ///
    /// - Throws: `GuessLimitsFailure`; no mail may be written then.
    func admit(_ mail: AccountMail) async throws(GuessLimitsFailure) -> MailVerdict {
        let scope = mail.client?.knownScope
        let windows = mailWindows(mail)
        let numbers = windows.flatMap { [RedisArgument($0.max), .integer($0.endsAt)] }
        let reply = try await evaluate(
            scripts.mail,
            keys: keys(of: mail.address.text, scope) + windows.map(\.key),
            [.integer(mail.now), .bytes(tags.network(scope)), "0"] + numbers
                + [.bytes(mail.call.bytes), .text(windows.map(\.role.rawValue).joined()), hasRoom() ? "1" : "0"])
        return try verdict(reply, scope)
    }

    /// Forgets a request that was admitted and not carried out. The same request can come again, and no window counts it.
    func forget(_ mail: AccountMail, of asker: OutboxPlace.Asker) async throws(GuessLimitsFailure) {
        // `mail.lua` has not counted the request in these windows. The two windows of the deployment share one counter.
        let uncounted: Set<MailWindow.Role> = [
            .unrecognisedRepeat, .recognisedRepeat, .unrecognisedTotal,
            asker.isRecognised ? .unrecognised : .recognised,
        ]
        let counters = mailWindows(mail).filter { !uncounted.contains($0.role) }.map(\.key)
        _ = try await evaluate(
            scripts.forgetMail, keys: [repeatKey(mail, isRecognised: asker.isRecognised)] + counters,
            [.bytes(mail.call.bytes)])
    }

    private func repeatKey(_ mail: AccountMail, isRecognised: Bool) -> String {
        tags.repeatKey("\(isRecognised ? "known" : "stranger")\n\(mail.sameness)")
    }

    /// The rules in the metric.
    static let ruleLabels = Array(Set(MailWindow.Role.allCases.map(\.label)))

    /// A counter of `mail.lua`.
    private struct MailWindow {
        /// The subject of the count. The letters are those of the script.
        enum Role: String, CaseIterable {
            case network = "n"
            /// Repeats of the request, by unrecognised and by recognised clients.
            case unrecognisedRepeat = "r"
            case recognisedRepeat = "q"
            /// The mailbox's quota, for unrecognised and for recognised clients.
            case unrecognised = "s"
            case recognised = "k"
            /// The share of the mailbox's quota that one network can use.
            case share = "h"
            /// The deployment's quota: the part for unrecognised clients, and the whole.
            case unrecognisedTotal = "p"
            case total = "t"

            /// The metric's label.
            var label: String {
                switch self {
                case .network: "mail"
                case .unrecognisedRepeat, .recognisedRepeat: "mail_repeat"
                case .unrecognised, .recognised, .share: "mail_recipient"
                case .unrecognisedTotal, .total: "mail_total"
                }
            }
        }

        let role: Role
        let key: String
        let max: Int
        let endsAt: Int64
    }

    private func mailWindows(_ mail: AccountMail) -> [MailWindow] {
        let limits = policy.mails
        func window(
            _ role: MailWindow.Role, _ limit: RateLimit, _ rule: String, _ subject: String, max: Int? = nil
        )
            -> MailWindow
        {
            let window = Window(rule, limit, subject, mail.now)
            return MailWindow(
                role: role, key: tags.windowKey(rule, limit, window.number, subject), max: max ?? limit.max,
                endsAt: window.endsAt)
        }
        let (mailbox, quota) = (mail.address.mailbox, mail.purpose.quota)
        let network = counted(mail.client)?.knownScope.description
        let ofMailbox = limits.perRecipient.flatMap { limit in
            [
                window(.unrecognised, limit, "m\(quota)s", mailbox), window(.recognised, limit, "m\(quota)k", mailbox),
            ]
                + (network.map {
                    [window(.share, limit, "m\(quota)h", "\(mailbox)\n\($0)", max: (limit.max + 1) / 2)]
                } ?? [])
        }
        return (network.map { [window(.network, limits.perNetwork, "mn", $0)] } ?? [])
            + [(MailWindow.Role.unrecognisedRepeat, false), (.recognisedRepeat, true)].map { role, isRecognised in
                MailWindow(
                    role: role, key: repeatKey(mail, isRecognised: isRecognised), max: 1,
                    endsAt: mail.now + AccountMailLimits.repeatSeconds)
            } + ofMailbox + [
                window(.unrecognisedTotal, limits.inTotal, "mt", "", max: limits.unrecognisedTotal),
                window(.total, limits.inTotal, "mt", ""),
            ]
    }

    private func verdict(_ reply: RedisValue, _ scope: CIDR?) throws(GuessLimitsFailure) -> MailVerdict {
        let parts = reply.arrayValue ?? []
        func count(_ rule: String) {
            Counter(label: "auth_password_limited_total", dimensions: [("rule", rule)]).increment()
        }
        switch (parts.first?.text, parts.dropFirst().first) {
        case ("admitted", let known?):
            return .admitted(
                OutboxPlace.Asker(network: tags.networkName(scope), isRecognised: known.text == "known"))
        case ("silent", let rule?):
            guard let role = rule.text.flatMap(MailWindow.Role.init) else { break }
            count(role.label)
            return .silent
        case ("limited", let seconds?):
            guard let seconds = seconds.integerValue else { break }
            count(MailWindow.Role.network.label)
            return .limited(retryAfterSeconds: seconds)
        case ("full", _):
            throw GuessLimitsFailure.full
        default: break
        }
        throw GuessLimitsFailure("a Redis function returned an unexpected reply")
    }
}
