import CoreMetrics
import InternalAPI
import ServiceCalls
import ServiceKit
import StrictJSON

/// Exchanges the code of an OpenID Connect provider for the identity token (OpenID Connect Core section 3.1.3).
struct CodeExchange: Sendable {
    /// How long the exchange may take.
    static let limit: Duration = .seconds(2)

    /// The reason why there is no token.
    enum Failure: Error, Equatable {
        /// The provider cannot be reached, or does not work.
        case away(cause: String)
        /// The provider refuses the code or our credentials, or sent no token.
        case refused(cause: String)
    }

    /// The part of a provider's response that counts. Its access token is not used.
    private struct Tokens: Decodable {
        let id_token: String
    }

    private struct Problem: Decodable {
        let error: String
    }

    let provider: String
    let clientID: String
    /// The secret `oidc_` and the provider's name.
    let secret: Secret<String>
    let tokenURL: String
    /// Follows no redirect and reads no more than `ProviderKeys.bytesMax` bytes.
    let exchange: any ProviderExchange

    func callAsFunction(_ code: String, of state: SignInState) async throws(Failure) -> String {
        do throws(Failure) { return try await token(code, of: state) } catch {
            Counter(
                label: "auth_provider_errors_total", dimensions: [("provider", provider), ("code", "token")]
            ).increment()
            throw error
        }
    }

    private func token(_ code: String, of state: SignInState) async throws(Failure) -> String {
        let answer: ProviderAnswer
        do { answer = try await exchange.send(request(code, of: state), within: Self.limit) } catch {
            guard let large = error as? AnswerTooLarge else {
                IdentityProviderErrors.count(error, of: provider)
                throw .away(cause: "\(error)")
            }
            throw Self.failure(large.status, ", and more than \(ProviderKeys.bytesMax) bytes")
        }
        guard answer.status == 200 else {
            throw Self.failure(answer.status, Self.error(in: answer.body).map { " \($0)" } ?? "")
        }
        do { return try StrictJSON.decode(Tokens.self, from: answer.body, limits: Self.limits).id_token } catch {
            throw .refused(cause: "the response has no id_token")
        }
    }

    private static func failure(_ status: Int, _ detail: String) -> Failure {
        let cause = "status \(status)\(detail)"
        return status == 429 || status >= 500 ? .away(cause: cause) : .refused(cause: cause)
    }

    private func request(_ code: String, of state: SignInState) -> ProviderRequest {
        let fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", state.callbackURL),
            ("client_id", clientID), ("client_secret", secret.value), ("code_verifier", state.codeVerifier),
        ]
        return ProviderRequest(
            url: tokenURL, headers: ["Content-Type": FormText.mediaType, "Accept": "application/json"],
            body: Array(FormText.encode(fields).utf8))
    }

    private static var limits: StrictJSON.Limits { StrictJSON.Limits(bytesMax: ProviderKeys.bytesMax, depthMax: 16) }

    /// The error code of RFC 6749 section 5.2, if it is one: a word, never a text in which a secret could be repeated.
    private static func error(in body: [UInt8]) -> String? {
        do {
            let error = try StrictJSON.decode(Problem.self, from: body, limits: limits).error
            let isWord = error.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
            return isWord && error.utf8.count <= 64 ? error : nil
        } catch { return nil }
    }
}
