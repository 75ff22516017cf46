/// Posts forms to one of Twilio's interfaces.
struct TwilioClient: Sendable {
    /// Without a path.
    let url: String
    let account: TwilioAccount
    let release: String
    let exchange: any ProviderExchange

    /// Nil: no whole answer came in time.
    func post(_ path: String, _ fields: [(String, String)], within limit: Duration) async -> TwilioAnswer? {
        guard limit > .zero else { return nil }
        let request = ProviderRequest(
            url: url + path,
            headers: [
                "Content-Type": FormText.mediaType, "Accept": "application/json",
                "Authorization": account.authorization, "User-Agent": "Latchkey/\(release)",
            ], body: Array(FormText.encode(fields).utf8))
        do { return TwilioAnswer(try await exchange.post(request, within: limit)) } catch { return nil }
    }
}
