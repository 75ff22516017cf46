/// The number of processes of each service, from text such as `otp=2,token=2`; one for each service that is not in it.
package struct Replicas: Sendable, Equatable {
    /// The services that can run more than once on one host.
    package static let services = Manifest.processes.filter { !$0.isForDevelopers }.map(\.name).sorted()
    package static let countMax = 8

    private var counts: [String: Int] = [:]

    /// Creates one of each.
    package init() {}

    /// Reads `name=count` pairs, separated by commas, or returns `nil` if they are invalid. Empty text means one of each.
    package init?(parsing text: String) {
        for pair in text.split(separator: ",") {
            let sides = pair.split(separator: "=", omittingEmptySubsequences: false).map { String($0.trimmed) }
            guard sides.count == 2, Self.services.contains(sides[0]), counts[sides[0]] == nil,
                let count = Int(sides[1]), (1...Self.countMax).contains(count)
            else { return nil }
            counts[sides[0]] = count
        }
    }

    /// The number of processes of the service.
    package subscript(service: String) -> Int { counts[service] ?? 1 }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }
}
