import ClientReport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `AuthService` uses an `APIClient` that the document does not print: JSON in, JSON out, anything but 2xx thrown.
struct APIClient {
    /// Any answer but 2xx.
    struct Refused: Error {
        let status: Int
        let body: Data
    }

    func post(_ path: String, body: some Encodable) async throws {
        _ = try await send("POST", path, JSONEncoder().encode(body))
    }

    func post<Response: Decodable>(_ path: String, body: some Encodable) async throws -> Response {
        try JSONDecoder().decode(Response.self, from: await send("POST", path, JSONEncoder().encode(body)))
    }

    /// Asks with the access token that the Keychain holds.
    func get(_ path: String) async throws -> Data {
        let token = KeychainService().get(.accessToken) ?? ""
        return try await send("GET", path, nil, headers: ["Authorization": "Bearer \(token)"])
    }

    private func send(
        _ method: String, _ path: String, _ body: Data?, headers: [String: String] = [:]
    ) async throws
        -> Data
    {
        guard let url = URL(string: Addresses.gateway + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw Refused(status: status, body: Spoiling.spoiled(data)) }
        return Spoiling.spoiled(data)
    }
}
