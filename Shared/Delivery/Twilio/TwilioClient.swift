import OutgoingConnections
import ServiceCalls

/// A response of Twilio, or the failure of a call that got no complete one.
typealias TwilioResult = Result<TwilioAnswer, DeliveryFailure>

extension TwilioResult {
    private var answer: TwilioAnswer? { if case .success(let answer) = self { answer } else { nil } }

    /// The response, if it is a success.
    var accepted: TwilioAnswer? { answer.flatMap { $0.isSuccess ? $0 : nil } }
    /// The error's code, if Twilio responded with one.
    var code: Int? { answer?.code }
}

/// A client of one of Twilio's interfaces.
struct TwilioClient: Sendable {
    /// The base URL, without a path.
    let url: String
    let account: TwilioAccount
    let release: String
    let exchange: any ProviderExchange

    /// Posts a form.
    func post(_ path: String, _ fields: [(String, String)], within limit: Duration) async -> TwilioResult {
        await send(
            .post, path, ["Content-Type": FormText.mediaType], Array(FormText.encode(fields).utf8), within: limit)
    }

    /// Sends a GET request; see `post`.
    func get(_ path: String, within limit: Duration) async -> TwilioResult {
        await send(.get, path, [:], [], within: limit)
    }

    private func send(
        _ method: ProviderRequest.Method, _ path: String, _ headers: [String: String], _ body: [UInt8],
        within limit: Duration
    ) async -> TwilioResult {
        guard limit > .zero else { return .failure(DeliveryFailure(connection: .connectTimedOut)) }
        let own = [
            "Accept": "application/json", "Authorization": account.authorization, "User-Agent": "Latchkey/\(release)",
        ]
        let request = ProviderRequest(
            method, url: url + path, headers: headers.merging(own) { first, _ in first }, body: body)
        do { return .success(TwilioAnswer(try await exchange.send(request, within: limit))) } catch {
            return .failure(DeliveryFailure(of: error))
        }
    }
}
