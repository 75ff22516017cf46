internal import ArgumentParser
internal import FoundationEssentials
internal import InternalAPI

/// `latchkeyctl keys list`
struct KeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows all keys that are not gone, with their states and times (UTC).")

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        let list = try await connection.withConnection { try await $0.get(KeyContract.listPath, as: KeyList.self) }
        print(Self.text(list))
    }

    /// One line for each key under a heading.
    static func text(_ list: KeyList) -> String {
        let heading = ["KID", "ALGORITHM", "STATE", "SINCE", "CREATED", "NEXT STATE"]
        let rows =
            [heading]
            + list.keys.map { key in
                [
                    key.kid, key.algorithm, key.state.rawValue, time(key.stateSince), time(key.createdAt),
                    time(key.nextStateAt),
                ]
            }
        let widths = heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
                .trimmingSuffix { $0 == " " }
        }.joined(separator: "\n")
    }

    private static func time(_ seconds: Int64?) -> String {
        seconds.map { Date(timeIntervalSince1970: TimeInterval($0)).formatted(.iso8601) } ?? "-"
    }
}

extension String {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
        var rest = self[...]
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
