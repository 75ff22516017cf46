import Testing

@testable import ControlCore

@Suite struct FilesOnlyTests {
    @Test(arguments: ["TOKEN_DATABASE_URL", "USER_DATABASE_URL"])
    func `a command for files is refused while a URL is set`(name: String) {
        let error = #expect(throws: CommandFailure.self) {
            try FilesOnly.require(FilesOnly.backupHint, environment: [name: "postgres://u@h/db"])
        }
        #expect(error?.description.hasPrefix("\(name) is set") == true)
        #expect(error?.description.contains("pg_dump") == true)
    }

    @Test func `without a URL, or with an empty one, files are meant`() throws {
        try FilesOnly.require(FilesOnly.backupHint, environment: ["TOKEN_DATABASE_URL": "", "REDIS_URL": "x"])
    }
}
