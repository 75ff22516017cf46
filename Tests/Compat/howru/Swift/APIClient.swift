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

    /// A body of values of several types, as the printed `signInWithApple` writes one; its answer is kept for the test.
    func post(_ path: String, body: [String: Any?]) async throws {
        let members = Members(values: body)
        do { ApplePhone.shared.note(.success(try await send("POST", path, JSONEncoder().encode(members)))) } catch {
            ApplePhone.shared.note(.failure(error))
            throw error
        }
    }

    private struct Members: Encodable {
        struct Name: CodingKey {
            let stringValue: String
            let intValue: Int? = nil

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let values: [String: Any?]

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Name.self)
            for (name, value) in values {
                if let value = value as? any Encodable {
                    try members.encode(value, forKey: Name(stringValue: name))
                } else {
                    try members.encodeNil(forKey: Name(stringValue: name))
                }
            }
        }
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
