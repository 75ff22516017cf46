package import ServiceCalls

/// The verifications of a Twilio Verify Service, which has at most one per phone number (integration guide 1.2).
package struct TwilioVerifications: Sendable {
    let client: TwilioClient
    /// The path of the Service.
    let path: String

    /// - Parameters:
    ///     - url: The base URL without a path; tests set another one than Twilio's.
    ///     - service: The Service's id, `VA…`.
    ///     - release: The release named in `User-Agent`.
    package init(
        url: String = TwilioVerifySender.defaultURL, account: TwilioAccount, service: String, release: String,
        exchange: any ProviderExchange
    ) {
        client = TwilioClient(url: url, account: account, release: release, exchange: exchange)
        path = "/v2/Services/\(service)"
    }

    /// Sends a code by creating a verification of the message's phone number.
    ///
    /// - Parameters:
    ///     - customCode: Our code; `nil` lets Twilio generate one.
    ///     - template: The template's id, `HJ…`; `nil` means the Service's default.
    /// - Returns: The verification's SID.
    func create(
        for message: Message, customCode: String?, template: String?
    ) async throws(DeliveryFailure) -> String {
        let optional = [
            ("CustomCode", customCode), ("TemplateSid", template), ("Locale", message.smsLocale),
            ("AppHash", message.channel == "sms" ? message.appHash : nil),
            ("DeviceIp", message.clientAddress.isEmpty ? nil : message.clientAddress),
        ]
        let fields =
            [("To", message.recipient), ("Channel", message.channel)]
            + optional.compactMap { name, value in value.map { (name, $0) } }
        return try await create(
            fields, to: message.recipient, closingEarlier: message.replacesEarlier, within: message.limit)
    }

    /// Creates a phone number's verification, or resends the message of the open one.
    ///
    /// - Parameters:
    ///     - closingEarlier: Whether to close an earlier verification with another code first, since the effect of a second
    ///     code is not documented.
    ///     - limit: The time limit for all calls together.
    private func create(
        _ fields: [(String, String)], to number: String, closingEarlier: Bool, within limit: Duration
    ) async throws(DeliveryFailure) -> String {
        let deadline = ContinuousClock.now + limit
        if closingEarlier { try await closeEarlier(of: number, within: limit) }
        switch await create(fields, by: deadline) {
        case .taken(let id): return id
        case .failed(let failure): throw failure
        case .again(let seconds, let failure):
            guard await Self.wait(seconds, before: deadline) else { throw failure }
            return try await createOnce(fields, by: deadline)
        case .closeFirst:
            try await close(number, as: "canceled", within: deadline - .now)
            return try await createOnce(fields, by: deadline)
        }
    }

    private func closeEarlier(of number: String, within limit: Duration) async throws(DeliveryFailure) {
        do throws(DeliveryFailure) {
            try await close(number, as: "canceled", within: limit)
        } catch {
            var failure = error
            failure.leavesEarlierCode = true
            throw failure
        }
    }

    /// Closes a phone number's verification; succeeds if there is none or it is closed already.
    ///
    /// - Parameter status: `canceled` or `approved`.
    package func close(_ number: String, as status: String, within limit: Duration) async throws(DeliveryFailure) {
        let result = await client.post(
            path + "/Verifications/" + FormText.encode(number), [("Status", status)], within: limit)
        guard result.accepted == nil, result.code != 20_404 else { return }
        switch TwilioErrors.verdict(result) {
        case .failed(let failure), .again(_, let failure), .closeFirst(let failure): throw failure
        case .taken: return
        }
    }

    /// Makes one attempt, whose outcome is final.
    private func createOnce(
        _ fields: [(String, String)], by deadline: ContinuousClock.Instant
    ) async throws(DeliveryFailure) -> String {
        switch await create(fields, by: deadline) {
        case .taken(let id): return id
        case .failed(let failure), .again(_, let failure), .closeFirst(let failure): throw failure
        }
    }

    private func create(
        _ fields: [(String, String)], by deadline: ContinuousClock.Instant
    ) async -> TwilioErrors.Verdict {
        let result = await client.post(path + "/Verifications", fields, within: deadline - .now)
        guard let answer = result.accepted else { return TwilioErrors.verdict(result) }
        guard let id = answer.body?.sid, let status = answer.body?.status else { return .failed(.badAnswer) }
        return status == "pending" ? .taken(id: id) : .failed(.refused)
    }

    static func wait(_ seconds: Int64, before deadline: ContinuousClock.Instant) async -> Bool {
        let end = ContinuousClock.now + .seconds(min(seconds, 60))
        guard end < deadline else { return false }
        do { try await Task.sleep(until: end) } catch { return false }
        return true
    }
}
