import Foundation
import TestSupport
import Testing

/// A password and the hash that another system's library made of it.
private struct LibraryHash: Decodable, Sendable {
    let scheme: String
    let hash: String
    /// Passwords that log in, in their order.
    let right: [String]
    let wrong: [String]
    /// Whether the hash stays after a login.
    let stays: Bool
}

extension Live.MovingInTests {
    /// Makes them anew with the libraries from PyPI in the long form, and reads the first of each scheme from the vectors
    /// otherwise.
    private func libraryHashes() async throws -> [LibraryHash] {
        guard LongRun.isOn else { return try Self.vectors() }
        let made = try await Shell.run(
            "'\(LatchkeyStack.root)Tests/Compat/moving-in/make-hashes' > hashes.jsonl", in: stack.dataDirectory)
        #expect(made.isSuccess, "\(made.output)")
        let lines = try String(contentsOfFile: stack.dataDirectory + "/hashes.jsonl", encoding: .utf8)
        return try lines.split(separator: "\n").map { try JSONDecoder().decode(LibraryHash.self, from: Data($0.utf8)) }
    }

    private static func vectors() throws -> [LibraryHash] {
        struct Vector: Decodable {
            let scheme: String
            let password: String
            let hash: String
        }
        let path = LatchkeyStack.root + "Tests/Vectors/Passwords/foreign.json"
        let vectors = try JSONDecoder().decode([Vector].self, from: try Data(contentsOf: URL(filePath: path)))
        return Dictionary(grouping: vectors, by: \.scheme).values.compactMap(\.first).map {
            LibraryHash(
                scheme: $0.scheme, hash: $0.hash, right: [$0.password, $0.password], wrong: [$0.password + "!"],
                stays: false)
        }
    }

    @Test func `users log in by hashes that other systems' libraries made`() async throws {
        let people = try await libraryHashes().map { ($0, LatchkeyStack.freshAddress()) }
        #expect(people.count >= 14)
        let path = stack.dataDirectory + "/libraries-\(UUID().uuidString).jsonl"
        let lines = people.map { #"{"email":"\#($1)","emailVerified":true,"passwordHash":"\#($0.hash)"}"# }
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try await stack.control("users import '\(path)'")
        #expect(outcome.output.contains("added \(people.count), known before 0, refused 0\n"), "\(outcome.output)")
        for (person, address) in people {
            for password in person.right {
                #expect(try await logIn(address, password).status == 200, "\(person.scheme): \(person.hash)")
            }
            for password in person.wrong {
                #expect(try await logIn(address, password).status == 401, "\(person.scheme): \(person.hash)")
            }
            let stored = try await stack.sql(
                "users", "SELECT hash FROM passwords JOIN identities USING (user_id) WHERE value = '\(address)'")
            #expect((stored == [person.hash]) == person.stays, "\(person.scheme)")
        }
    }
}
