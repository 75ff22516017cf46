import ArgumentParser
import InternalAPI

/// `latchkeyctl keys list`
struct KeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows all keys that are in use or published, with times in UTC.")

    @Flag(help: "As JSON, times in Unix seconds.")
    var json = false

    @OptionGroup var connection: OperatorOptions

    func run() async throws {
        let list = try await connection.withConnection { try await $0.call(KeyOperations.list, NoBody()) }
        print(json ? try JSONOutput.text(list) : Self.text(list))
    }

    /// Returns one line for each key under a heading.
    static func text(_ list: KeyList) -> String {
        let heading = ["KID", "ALGORITHM", "STATE", "SINCE", "CREATED", "NEXT STATE"]
        let rows = list.keys.map { key in
            [
                key.kid, key.algorithm, key.state.rawValue, TimeText.text(key.stateSince), TimeText.text(key.createdAt),
                TimeText.text(key.nextStateAt),
            ]
        }
        return TextTable.text([heading] + rows)
    }
}
