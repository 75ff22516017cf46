public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension LatchkeyAuth {
    /// Sends a request to your API with the access token.
    ///
    /// The token goes to the base URL's host, and to the hosts in ``Configuration/alsoSendTo``; a request to any other host is
    /// sent without it. If the API answers 401, the token is renewed and the request is sent again, once. A request whose
    /// body is a stream is not sent again. Redirects are not followed.
    ///
    /// - Returns: the response, whatever its status: a second 401 is returned as it is.
    public func data(for request: URLRequest) async throws(AuthError) -> (Data, HTTPURLResponse) {
        let baseURL = engine.api.baseURL
        guard let url = request.url, baseURL.mayKnowToken(url, otherHosts: configuration.alsoSendTo) else {
            return try await send(request, bearer: nil)
        }
        let token = try await accessToken()
        let first = try await send(request, bearer: token)
        guard first.1.statusCode == 401, request.httpBodyStream == nil else { return first }
        do throws(AuthError) {
            return try await send(request, bearer: try await accessToken(insteadOf: token))
        } catch .refusedAgain {
            return first
        }
    }

    private func send(_ request: URLRequest, bearer: String?) async throws(AuthError) -> (Data, HTTPURLResponse) {
        var request = request
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        do {
            return try await configuration.transport.send(request)
        } catch {
            throw AuthError(transport: error)
        }
    }

    /// Sends a request to the server's own API with the access token, and a second time after 401.
    func authorized(_ call: API.Call) async throws(AuthError) -> JSONValue {
        var call = call
        let token = try await accessToken()
        call.bearer = token
        let first = try await engine.api.send(call)
        guard first.status == 401 else { return try first.success() }
        do throws(AuthError) {
            call.bearer = try await accessToken(insteadOf: token)
        } catch .refusedAgain {
            throw first.error
        }
        return try await engine.api.json(call)
    }
}
