import StrictJSON

/// Apple's data about a person, which it sends once, in the form field `user`. They are not signed, and for display only.
struct ApplePerson: Decodable {
    private struct Name: Decodable {
        let firstName, lastName: String?
    }

    private static let bytesMax = 2048

    private let name: Name?

    /// Returns the person's name, or `nil` if there is none that can be shown.
    static func name(in json: String?) -> String? {
        guard let json, json.utf8.count <= bytesMax else { return nil }
        do {
            let limits = StrictJSON.Limits(bytesMax: bytesMax, depthMax: 8)
            let name = try StrictJSON.decode(Self.self, from: Array(json.utf8), limits: limits).name
            let parts = [name?.firstName, name?.lastName].compactMap { $0 }.filter { !$0.isEmpty }
            return DisplayName(parts.joined(separator: " "))?.text
        } catch {
            return nil
        }
    }
}
