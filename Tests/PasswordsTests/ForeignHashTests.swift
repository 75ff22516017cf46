import Foundation
import Policies
import Testing

@testable import Passwords

/// Hashes that others made: `Tests/Vectors/Passwords/generate.py` says which implementations.
@Suite struct ForeignHashTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let scheme: String
        let password: String
        let hash: String
        var testDescription: String { "\(scheme): \(hash.prefix(40))" }
    }

    static let vectors: [Vector] = {
        do {
            let data = try Data(contentsOf: URL(filePath: "Tests/Vectors/Passwords/foreign.json"))
            return try JSONDecoder().decode([Vector].self, from: data)
        } catch {
            Issue.record("the vectors cannot be read: \(error)")
            return []
        }
    }()

    @Test func `there are vectors of every scheme`() {
        #expect(
            Set(Self.vectors.map(\.scheme)) == [
                "argon2", "bcrypt", "Better Auth", "Firebase", "ASP.NET v2", "ASP.NET v3",
            ])
    }

    @Test(arguments: vectors) func `a hash of another implementation is its password's alone`(_ vector: Vector) throws {
        let hash = try #require(ForeignHash(vector.hash))
        #expect(hash.matches(try #require(PasswordText(vector.password))))
        #expect(!hash.matches(try #require(PasswordText("!" + vector.password.dropFirst()))))
        #expect(hash.text == vector.hash)
    }

    /// The first vector of a scheme, or what the test cannot go on without.
    private static func first(_ scheme: String) throws -> String {
        try #require(vectors.first { $0.scheme == scheme }).hash
    }

    @Test(arguments: [
        // Argon2: memory, memory times iterations, lanes, each by one step too much.
        ("argon2", "m=65536", "m=131073"), ("argon2", "m=65536,t=3", "m=131072,t=9"), ("argon2", "p=4", "p=5"),
        ("argon2", "m=65536", "m=99999999999999999999"), ("argon2", "t=3", "t=0"), ("argon2", "m=65536", "m=0"),
        ("argon2", "m=65536", "m=-8"), ("argon2", "v=19", "v=20"), ("argon2", "argon2id", "argon2x"),
        ("bcrypt", "$05$", "$14$"), ("bcrypt", "$05$", "$31$"), ("bcrypt", "$05$", "$03$"), ("bcrypt", "$05$", "$ 5$"),
        ("bcrypt", "$2a$", "$2x$"),
        ("Firebase", "n=14,r=8", "n=20,r=8"), ("Firebase", "n=14,r=8", "n=14,r=65"),
        ("Firebase", "n=14,r=8", "n=64,r=8"), ("Firebase", "n=14,r=8", "n=0,r=8"), ("Firebase", "n=14", "m=14"),
    ])
    func `what would cost too much is no hash`(scheme: String, text: String, other: String) throws {
        let hash = try Self.first(scheme)
        let spoiled = hash.replacing(text, with: other)
        #expect(spoiled != hash && ForeignHash(spoiled) == nil)
    }

    @Test func `the most that is allowed is a hash`() throws {
        let argon = try Self.first("argon2")
        #expect(ForeignHash(argon.replacing("m=65536,t=3", with: "m=131072,t=8")) != nil)
        #expect(ForeignHash(try Self.first("bcrypt").replacing("$05$", with: "$13$")) != nil)
        #expect(ForeignHash(try Self.first("Firebase").replacing("n=14,r=8", with: "n=17,r=8")) != nil)
    }

    @Test(arguments: [UInt32(0), 2_000_001, .max]) func `rounds beyond the limit are no hash`(_ rounds: UInt32) throws {
        var bytes = try #require(Data(base64Encoded: try Self.first("ASP.NET v3")))
        #expect(ForeignHash(bytes.base64EncodedString()) != nil)
        bytes.replaceSubrange(5..<9, with: (0..<4).map { UInt8(truncatingIfNeeded: rounds >> (24 - 8 * $0)) })
        #expect(ForeignHash(bytes.base64EncodedString()) == nil)
    }

    @Test(arguments: [
        "", "$", ":", "plain", "AQ==", "AA==", "$2b$", "$argon2id$", "$firebase-scrypt$$$$$", "$1$salt$hash",
        String(repeating: "A", count: 2_000), "$argon2id$v=19$m=65536,t=3,p=4$AAAA$AAAA", "00:00",
    ])
    func `anything else is no hash`(_ text: String) { #expect(ForeignHash(text) == nil) }

    @Test func `a zero byte hides nothing from bcrypt`() throws {
        let hash = try #require(ForeignHash("$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"))
        #expect(hash.matches(try #require(PasswordText("abc"))))
        #expect(!hash.matches(try #require(PasswordText("abc\u{0}def"))))
    }

    @Test func `ours stays ours, whoever made it`() throws {
        let own = "$argon2id$v=19$m=19456,t=2,p=1$eaY2386zfLmrKi6XEu6/iA$9WLa1HLLsHLa7VeXy9kuFWcaW8ak/psYkFWvxCAF9UI"
        guard case .own = StoredHash(own) else {
            Issue.record("a hash of ours is read as another's")
            return
        }
        guard case .foreign = StoredHash(try Self.first("argon2")) else {
            Issue.record("another's hash is read as ours")
            return
        }
        #expect(StoredHash("x") == nil)
    }

    @Test func `the threads check both kinds`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 2)
        let (own, password) = (
            try await hasher.hash(try #require(PasswordText("mine"))), try #require(PasswordText("mine"))
        )
        #expect(try await hasher.verifies(password, against: StoredHash(own.text)))
        #expect(try await !hasher.verifies(password, against: nil))
        for vector in Self.vectors.prefix(10) {
            let typed = try #require(PasswordText(vector.password))
            #expect(try await hasher.verifies(typed, against: StoredHash(vector.hash)))
            #expect(try await !hasher.verifies(password, against: StoredHash(vector.hash)))
        }
        try await hasher.shutDown()
    }

    @Test func `Firebase's parameters are read as its console shows them`() throws {
        let shown = """
            hash_config {
              algorithm: SCRYPT,
              base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
              base64_salt_separator: Bw==,
              rounds: 8,
              mem_cost: 14,
            }
            """
        let parameters = try #require(FirebaseParameters(shown))
        let kept = try #require(
            parameters.kept(
                "$firebase$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz"
                    + "+VHjoZilo78198JAdRuid5lQ=="))
        #expect(try #require(ForeignHash(kept)).matches(try #require(PasswordText("user1password"))))
        #expect(FirebaseParameters("rounds: 8") == nil)
        #expect(parameters.kept("$2b$05$x") == nil)
    }
}
