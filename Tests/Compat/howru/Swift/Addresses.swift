import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where the server and the phone's messages are: the program's arguments.
enum Addresses {
    static let gateway = argument(1)
    private static let inbox = argument(2)

    /// The newest code that a number was sent, and nil before one arrives.
    static func code(for phone: String) async throws -> String? {
        struct Message: Decodable { let code: String? }
        guard let url = URL(string: inbox + "/api/messages?to=%2B" + phone.dropFirst()) else { throw URLError(.badURL) }
        let (data, _) = try await URLSession.shared.data(from: url)
        return try JSONDecoder().decode([Message].self, from: data).first?.code
    }

    /// A token that the fake of Apple has signed for the app, or `nil` in a run without it.
    static func identityToken(subject: String) async throws -> Data? {
        let fakes = argument(3)
        guard !fakes.isEmpty else { return nil }
        let query = "?audience=com.howru&subject=\(subject)"
        guard let url = URL(string: fakes + "/fakes/identity-token" + query) else { throw URLError(.badURL) }
        return try await URLSession.shared.data(from: url).0
    }

    private static func argument(_ index: Int) -> String {
        CommandLine.arguments.count > index ? CommandLine.arguments[index] : ""
    }
}
