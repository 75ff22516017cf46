import CoreMetrics
import ServiceKit
import Synchronization

/// A client library of ours and its release, as in `Latchkey-Client: swift/1.0.0`.
struct ClientLibrary: Hashable, Sendable {
    private static let names: Set<Substring> = ["swift", "kotlin", "typescript"]
    private static let fieldLengthMax = 64

    let name: String
    /// Three numbers of at most three digits each, and `-beta.1` or the like before a release is final.
    let version: String

    /// Any library or release that is not counted by its own name.
    static let other = ClientLibrary(name: "other", version: "other")

    private init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// Reads the field's value, or returns `nil` if it specifies no library of ours.
    init?(field: String) {
        guard field.utf8.count <= Self.fieldLengthMax else { return nil }
        let parts = field.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.names.contains(parts[0]), Self.isVersion(parts[1]) else { return nil }
        self.init(name: String(parts[0]), version: String(parts[1]))
    }

    private static func isVersion(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 3, numbers.allSatisfy(isNumber) else { return false }
        guard let stage = parts.dropFirst().first?.split(separator: ".", omittingEmptySubsequences: false) else {
            return true
        }
        return stage.count == 2 && (1...5).contains(stage[0].utf8.count)
            && stage[0].utf8.allSatisfy { (0x61...0x7A).contains($0) } && isNumber(stage[1])
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// Counts the requests of client libraries at our own endpoints.
final class ClientLibraryCounts: Sendable {
    /// The greatest number of series besides `other`. The client chooses the field, and each series takes memory.
    static let seriesMax = 32

    private let known = Mutex<Set<ClientLibrary>>([])
    private let counters = SeriesMemory<ClientLibrary, Counter> { library in
        Counter(
            label: "auth_client_requests_total",
            dimensions: [("library", library.name), ("version", library.version)])
    }

    /// Counts a request by its `Latchkey-Client` field, which is `nil` if the request has none.
    func count(_ field: String?) {
        guard let field else { return }
        counters[series(for: ClientLibrary(field: field) ?? .other)].increment()
    }

    /// Returns the library itself while there is room for another series, then `other`.
    func series(for library: ClientLibrary) -> ClientLibrary {
        known.withLock { known in
            guard library != .other, !known.contains(library) else { return library }
            guard known.count < Self.seriesMax else { return .other }
            known.insert(library)
            return library
        }
    }
}
