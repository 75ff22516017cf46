import ArgumentParser
import InternalAPI
import Passwords

/// `latchkeyctl users import FILE`
struct UsersImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports users from another system.",
        discussion: """
            The file has a JSON object on each line, with an email (and emailVerified), a phone, or both, and what else is \
            known: id, legacyID, name, role, isActive, createdAt, passwordHash. Users who exist already stay unchanged, so the \
            command can be run again. It prints the number of each invalid line and imports all others. \
            deploy/docs/run/migrate.md shows how to make the file.
            """)

    @Argument(help: "The file with the users.")
    var file: String

    @Option(help: "A file to write, with a line for each user, as COPY reads it: the old id, a tab, the new id.")
    var map: String?

    @Option(help: "A file with the hash parameters of a Firebase project, as its console shows them.")
    var firebase: String?

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let reader = ImportReader(firebase: try firebase.map(Self.parameters))
        let lines = try FileLines(path: file, bytesMax: ImportReader.lineBytesMax)
        let mapped = try map.map { try IDMap(path: $0) }
        let tally = try await connection.withConnection { try await moveIn(lines, by: reader, mapped, over: $0) }
        try mapped?.finish()
        print(tally.text)
        guard tally.refused == 0 else { throw ExitCode.failure }
    }

    private func moveIn(
        _ lines: FileLines, by reader: ImportReader, _ mapped: IDMap?, over connection: OperatorConnection
    ) async throws -> ImportTally {
        var upload = ImportUpload(connection: connection, map: mapped)
        while let line = try lines.next() {
            switch reader.read(line) {
            case .success(let user): try await upload.add(user, line: line.number)
            case .failure(let problem): upload.tally.refuse(line.number, problem.text)
            }
        }
        try await upload.flush()
        return upload.tally
    }

    private static func parameters(_ path: String) throws -> FirebaseParameters {
        let lines = try FileLines(path: path, bytesMax: 4_096)
        var text = ""
        while let line = try lines.next(), line.number <= 64 {
            text += String(decoding: line.bytes ?? [], as: UTF8.self) + "\n"
        }
        guard let parameters = FirebaseParameters(text) else {
            throw CommandFailure(
                description: """
                    the file \(path) lacks base64_signer_key, base64_salt_separator, rounds or mem_cost, or needs more memory \
                    than a sign-in may use
                    """)
        }
        return parameters
    }
}
