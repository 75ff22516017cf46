import ServiceCalls

/// A client of one of Twilio's interfaces.
struct TwilioClient: Sendable {
    /// The base URL, without a path.
    let url: String
    let account: TwilioAccount
    let release: String
    let exchange: any ProviderExchange

    /// Posts a form; returns `nil` if no complete response came in time.
    func post(_ path: String, _ fields: [(String, String)], within limit: Duration) async -> TwilioAnswer? {
        await send(
            .post, path, ["Content-Type": FormText.mediaType], Array(FormText.encode(fields).utf8), within: limit)
    }

    /// Sends a GET request; see `post`.
    func get(_ path: String, within limit: Duration) async -> TwilioAnswer? {
        await send(.get, path, [:], [], within: limit)
    }

    private func send(
        _ method: ProviderRequest.Method, _ path: String, _ headers: [String: String], _ body: [UInt8],
        within limit: Duration
    ) async -> TwilioAnswer? {
        guard limit > .zero else { return nil }
        let own = [
            "Accept": "application/json", "Authorization": account.authorization, "User-Agent": "Latchkey/\(release)",
        ]
        let request = ProviderRequest(
            method, url: url + path, headers: headers.merging(own) { first, _ in first }, body: body)
        do { return TwilioAnswer(try await exchange.send(request, within: limit)) } catch { return nil }
    }
}
