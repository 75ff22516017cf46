/// A library of ours that is in Redis.
struct RedisLibraryListing: Sendable, Equatable {
    static let probe = "loaded"
    static let loadedAt = "loaded at "

    let name: String
    /// When it was last loaded, in Unix seconds; 0 if that is unknown.
    let time: Int64

    /// The number of libraries per service that stay in Redis. An upgrade uses two releases, and one more allows a
    /// rollback.
    static let keptMax = 4

    /// Returns the libraries that upgrades have left: for each service those beyond `keptMax`, the longest unused first.
    ///
    /// A release loads its library whenever it starts, so libraries in use are among the newest.
    static func superfluous(_ listed: [RedisLibraryListing], keeping current: Set<String>) -> [String] {
        Dictionary(grouping: listed, by: \.service).values.flatMap { ofService in
            let others = ofService.filter { !current.contains($0.name) }
                .sorted { ($1.time, $1.name) < ($0.time, $0.name) }
            let isCurrentListed = ofService.count > others.count
            return others.dropFirst(keptMax - (isCurrentListed ? 1 : 0)).map(\.name)
        }.sorted()
    }

    private var service: Substring { name.split(separator: "_").dropLast().last ?? "" }

    /// Reads the reply to `FUNCTION LIST`: for each library pairs of names and values, its functions likewise.
    static func read(_ reply: RedisValue) -> [RedisLibraryListing] {
        (reply.arrayValue ?? []).compactMap { library in
            let members = pairs(library)
            guard let name = members["library_name"]?.text else { return nil }
            let functions = (members["functions"]?.arrayValue ?? []).map(pairs)
            let descriptions = functions.compactMap { $0["description"]?.text }
            let times = descriptions.filter { $0.hasPrefix(loadedAt) }.compactMap {
                Int64($0.dropFirst(loadedAt.count))
            }
            return RedisLibraryListing(name: name, time: times.max() ?? 0)
        }
    }

    private static func pairs(_ value: RedisValue) -> [String: RedisValue] {
        let parts = value.arrayValue ?? []
        var pairs: [String: RedisValue] = [:]
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            if let name = parts[index].text { pairs[name] = parts[index + 1] }
        }
        return pairs
    }
}
