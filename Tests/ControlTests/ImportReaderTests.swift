import Foundation
import InternalAPI
import Passwords
import StrictJSON
import Testing

@testable import ControlCore

/// How a file of users is read.
@Suite struct ImportReaderTests {
    private func lines(_ data: Data) throws -> [FileLines.Line] {
        let path = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString)").path()
        #expect(FileManager.default.createFile(atPath: path, contents: data))
        defer { _ = unsafe unlink(path) }
        let file = try FileLines(path: path, bytesMax: ImportReader.lineBytesMax)
        var lines: [FileLines.Line] = []
        while let line = try file.next() { lines.append(line) }
        return lines
    }

    @Test func `lines are numbered as an editor does, and a long one is passed over`() throws {
        let long = String(repeating: "x", count: 10_000_000)
        let read = try lines(Data("a\r\n\nb\n\(long)\nc".utf8))
        #expect(read.map(\.number) == [1, 3, 4, 5])
        #expect(read.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == ["a", "b", nil, "c"])
        #expect(try lines(Data()).isEmpty)
    }

    @Test func `a line has room for the largest metadata`() throws {
        let object = #"{"a":"\#(String(repeating: "x", count: MetadataObject.bytesMax - 8))"}"#
        let line = #"{"phone":"1","metadata":{"app":\#(object),"own":\#(object)}}"#
        let read = try #require(try lines(Data(line.utf8)).first)
        let metadata = try ImportReader(firebase: nil).read(read).get().metadata
        #expect(metadata?.app?.canonical.count == MetadataObject.bytesMax && metadata?.own == metadata?.app)
    }

    @Test func `byte order marks and blank lines are skipped`() throws {
        let mark = Data([0xEF, 0xBB, 0xBF])
        let read = try lines(mark + Data("a\n \t\r\n\t\n".utf8) + mark + Data("b\n".utf8) + mark + Data("\n".utf8))
        #expect(read.map(\.number) == [1, 4])
        #expect(read.map(\.bytes) == [Array("a".utf8), Array("b".utf8)])
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
    ])
    func `a file of wide characters is refused as a whole`(encoding: String.Encoding) throws {
        let data = try #require(#"{"phone":"+14155550190"}"#.data(using: encoding))
        #expect { try lines(data) } throws: { ($0 as? CommandFailure)?.description.contains("UTF-16") == true }
    }

    @Test func `users who were added without a password are counted`() {
        var tally = ImportTally()
        tally.count(ImportResult(userID: "usr_1", isAdded: true), line: 1)
        #expect(tally.text == "added 1, known before 0, refused 0")
        tally.count(ImportResult(userID: "usr_2", isAdded: true, note: "added without a password"), line: 2)
        #expect(tally.text == "added 2, known before 0, refused 0; added without a password: 1")
    }

    @Test func `a hash of Firebase that its export does not have is user-service's to judge`() throws {
        let parameters = try #require(
            FirebaseParameters(
                """
                base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==
                base64_salt_separator: Bw==
                rounds: 8
                mem_cost: 14
                """))
        let line = FileLines.Line(number: 1, bytes: Array(#"{"passwordHash":"$firebase$a$b$c"}"#.utf8))
        let user = try ImportReader(firebase: parameters).read(line).get()
        #expect(user.passwordHash == "$firebase$a$b$c")
    }

    @Test(arguments: [
        (#"{"phone":"+1415"}"#, nil), (#"[]"#, "is no JSON object"), ("x", "is no JSON object"),
        (#"{"phone":1}"#, "phone has the wrong type"),
        (#"{"Phone":"1"}"#, #"has unknown members: "Phone""#),
        // What would clear the operator's screen is written with escapes, and only some of many.
        (
            #"{"\u001b[2J":1,"a":1,"b":1,"c":1}"#, #"has unknown members: "\u{1B}[2J", "a", "b""#
        ),
        (#"{"phone":"1","phone":"2"}"#, "is no JSON object"),
        (#"{"phone":"1","metadata":{"app":{"a":{"b":{"c":{"d":{"e":{"f":{"g":[]}}}}}}}}}"#, nil),
        (#"{"phone":"1","metadata":{"own":{"a":{"b":{"c":{"d":{"e":{"f":{"g":[[]]}}}}}}}}}"#, "is no JSON object"),
        (#"{"phone":"1","metadata":[]}"#, "metadata has the wrong type"),
        (#"{"phone":"1","metadata":{"app":{"a":1,"a":2}}}"#, "is no JSON object"),
        (#"{"passwordHash":"$firebase$a$b"}"#, "has a hash of Firebase; --firebase is needed"),
    ])
    func `a line is a user or is named`(text: String, problem: String?) {
        let line = FileLines.Line(number: 1, bytes: Array(text.utf8))
        switch ImportReader(firebase: nil).read(line) {
        case .success: #expect(problem == nil)
        case .failure(let found): #expect(found.text == problem)
        }
    }

    @Test func `an old id is one field of one line of the map`() throws {
        #expect(IDMap.escaped("a\tb\nc\rd\\e ö") == #"a\tb\nc\rd\\e ö"#)
        let path = FileManager.default.temporaryDirectory.appending(path: "map-\(UUID().uuidString)").path()
        defer { _ = unsafe unlink(path) }
        // What an import that was killed has left.
        #expect(FileManager.default.createFile(atPath: path + ".part", contents: Data("half".utf8)))
        let map = try IDMap(path: path)
        try map.add("a\r\nb", "usr_1")
        #expect(!FileManager.default.fileExists(atPath: path))
        try map.finish()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a\\r\\nb\tusr_1\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600 && !FileManager.default.fileExists(atPath: path + ".part"))
    }

    @Test func `a call has no more than its body holds`() throws {
        // As it is sent: quotes and backslashes with escapes.
        let long = { (text: String) in String(repeating: text, count: 8_000) }
        for (name, count) in [(long("x"), 5), (long("\""), 2), ("x", 25)] {
            var batch = ImportBatch()
            var line = 0
            while try batch.add(ImportedUser(name: name), line: line + 1) { line += 1 }
            #expect(batch.users.count == count && batch.numbers == Array(1...count))
            #expect(try StrictJSON.encode(ImportUsersRequest(users: batch.users)).count < 65_536)
        }
        // Whatever the first one is, it goes.
        var batch = ImportBatch()
        #expect(try batch.add(ImportedUser(name: String(repeating: "x", count: 50_000)), line: 1))
    }
}
