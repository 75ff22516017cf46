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
                "argon2", "bcrypt", "Better Auth", "Firebase", "ASP.NET v2", "ASP.NET v3", "Django PBKDF2",
                "Django Argon2", "Django scrypt", "Django bcrypt", "passlib PBKDF2", "PHC scrypt", "phpass",
                "WordPress",
            ])
    }

    @Test(arguments: vectors) func `a hash of another implementation is its password's alone`(_ vector: Vector) throws {
        let hash = try #require(ForeignHash(vector.hash))
        #expect(try hash.matches(try #require(PasswordText(vector.password))))
        #expect(try !hash.matches(try #require(PasswordText("!" + vector.password.dropFirst()))))
        #expect(hash.text == vector.hash)
    }

    /// The first vector of a scheme, or what the test cannot go on without.
    private static func first(_ scheme: String) throws -> String {
        try #require(vectors.first { $0.scheme == scheme }).hash
    }

    private static func problem(_ text: String) -> ForeignHash.Problem? {
        do throws(ForeignHash.Problem) { _ = try ForeignHash(reading: text) } catch { return error }
        return nil
    }

    @Test(arguments: [
        // Argon2: memory, memory times iterations, lanes, each by one step too much.
        ("argon2", "m=65536", "m=131073"), ("argon2", "m=65536,t=3", "m=131072,t=9"), ("argon2", "p=4", "p=17"),
        ("argon2", "m=65536", "m=99999999999999999999"), ("argon2", "t=3", "t=99999999999999999999"),
        ("bcrypt", "$05$", "$15$"), ("bcrypt", "$05$", "$31$"), ("WordPress", "$05$", "$15$"),
        ("Django bcrypt", "$05$", "$15$"),
        ("Firebase", "n=14,r=8", "n=20,r=8"), ("Firebase", "n=14,r=8", "n=14,r=65"),
        ("Firebase", "n=14,r=8", "n=64,r=8"), ("Firebase", "p=1", "p=17"), ("Firebase", "n=14,r=8,p=1", "n=17,r=8,p=5"),
        ("PHC scrypt", "ln=14", "ln=21"), ("PHC scrypt", "p=2", "p=17"), ("Django scrypt", "16384", "2097152"),
        ("Django scrypt", "$8$5$", "$8$99999999999999999999$"), ("Django PBKDF2", "$100000$", "$2000001$"),
        ("Django PBKDF2", "$100000$", "$99999999999999999999$"), ("passlib PBKDF2", "$25000$", "$2000001$"),
        ("phpass", "$P$B", "$P$F"),
    ])
    func `a hash that would cost too much is told from an unknown one`(
        scheme: String, text: String, other: String
    ) throws {
        let hash = try Self.first(scheme)
        let costly = hash.replacing(text, with: other)
        #expect(costly != hash && Self.problem(costly) == .tooCostly, "\(costly)")
    }

    @Test(arguments: [
        ("argon2", "t=3", "t=0"), ("argon2", "m=65536", "m=0"), ("argon2", "m=65536", "m=-8"),
        ("argon2", "v=19", "v=20"),
        ("argon2", "argon2id", "argon2x"), ("argon2", "m=65536", "m=+65536"), ("argon2", "m=65536", "m=31"),
        ("argon2", "m=65536,t=3", "t=3,m=65536"), ("argon2", "p=4", "p=4,q=1"),
        ("bcrypt", "$05$", "$03$"), ("bcrypt", "$05$", "$ 5$"), ("bcrypt", "$05$", "$32$"),
        ("bcrypt", "$2a$", "$2x$"), ("bcrypt", "$05$", "$+5$"), ("Django bcrypt", "sha256$$2b$", "sha256$2b$"),
        ("Firebase", "n=14,r=8", "n=0,r=8"), ("Firebase", "n=14", "m=14"), ("Firebase", "v=1", "v=2"),
        ("PHC scrypt", "ln=14", "ln=0"), ("PHC scrypt", "ln=14", "n=16384"), ("Django scrypt", "$16384$", "$16383$"),
        ("Django scrypt", "$8$5$", "$0$5$"), ("Django PBKDF2", "$100000$", "$0$"),
        ("Django PBKDF2", "sha256", "sha512"),
        ("passlib PBKDF2", "pbkdf2-sha512", "pbkdf2-sha3"), ("passlib PBKDF2", ".", "+"), ("phpass", "$P$B", "$P$4"),
        ("phpass", "$P$", "$S$"), ("WordPress", "$wp$", "$wq$"),
    ])
    func `a spoiled hash is unknown`(scheme: String, text: String, other: String) throws {
        let hash = try Self.first(scheme)
        let spoiled = hash.replacing(text, with: other)
        #expect(spoiled != hash && Self.problem(spoiled) == .unknown, "\(spoiled)")
    }

    @Test func `the most that is allowed is a hash`() throws {
        let argon = try Self.first("argon2")
        #expect(ForeignHash(argon.replacing("m=65536,t=3,p=4", with: "m=131072,t=8,p=16")) != nil)
        #expect(ForeignHash(try Self.first("bcrypt").replacing("$05$", with: "$14$")) != nil)
        #expect(ForeignHash(try Self.first("Firebase").replacing("n=14,r=8,p=1", with: "n=17,r=8,p=4")) != nil)
        #expect(ForeignHash(try Self.first("Django PBKDF2").replacing("$100000$", with: "$2000000$")) != nil)
        #expect(ForeignHash(try Self.first("phpass").replacing("$P$B", with: "$P$E")) != nil)
    }

    @Test(arguments: [UInt32(2_000_001), .max]) func `rounds beyond the limit are too costly`(_ rounds: UInt32) throws {
        var bytes = try #require(Data(base64Encoded: try Self.first("ASP.NET v3")))
        #expect(ForeignHash(bytes.base64EncodedString()) != nil)
        bytes.replaceSubrange(5..<9, with: (0..<4).map { UInt8(truncatingIfNeeded: rounds >> (24 - 8 * $0)) })
        #expect(Self.problem(bytes.base64EncodedString()) == .tooCostly)
    }

    @Test(arguments: [
        "", "$", ":", "plain", "AQ==", "AA==", "$2b$", "$argon2id$", "$fbscrypt$$$",
        "$fbscrypt$v=1,n=14,r=8,p=1,ss=,sk=$$", "$1$salt$hash",
        String(repeating: "A", count: 2_000), "$argon2id$v=19$m=65536,t=3,p=4$AAAA$AAAA", "00:00",
    ])
    func `anything else is no hash`(_ text: String) { #expect(ForeignHash(text) == nil) }

    @Test func `a zero byte hides nothing from bcrypt`() throws {
        let hash = try #require(ForeignHash("$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"))
        #expect(try hash.matches(try #require(PasswordText("abc"))))
        #expect(try !hash.matches(try #require(PasswordText("abc\u{0}def"))))
    }

    /// The hash is by Python's hashlib: PBKDF2 with SHA-256, 1,000 rounds, over the decomposed text.
    @Test(arguments: ["cafe\u{301} au lait", "caf\u{e9} au lait"])
    func `a hash of the decomposed spelling is found by either`(typed: String) throws {
        let hash = try #require(
            ForeignHash("AQAAAAEAAAPoAAAAEAABAgMEBQYHCAkKCwwNDg/ZgfEnEZ897jBPvfqankEv3jpyRBKo6AX70f+EqHKPnA=="))
        #expect(try hash.matches(try #require(PasswordText(typed))))
        #expect(try !hash.matches(try #require(PasswordText("cafe au lait"))))
    }

    @Test func `equal spellings are compared once, and each further one is in the estimate`() throws {
        let hash = try #require(ForeignHash(try Self.first("Django PBKDF2")))
        let (plain, mixed) = (try #require(PasswordText("cafe")), try #require(PasswordText("e\u{301}\u{e9}")))
        #expect(plain.spellings.count == 1 && plain.spellingsWithCompatibility.count == 1)
        #expect(PasswordText("caf\u{e9}")?.spellings.count == 2)
        #expect(mixed.spellings.count == 3)
        #expect(PasswordText("\u{fb01}n\u{e9}")?.spellingsWithCompatibility.count == 3)
        #expect(hash.seconds(for: mixed) == 3 * hash.seconds(for: plain))
    }

    @Test(arguments: [
        ("bcrypt", String(repeating: "x", count: 72), true), ("bcrypt", String(repeating: "x", count: 73), false),
        ("bcrypt", "abc\u{0}def", false),
        // 71 bytes as typed, and 73 decomposed: either may be what was hashed.
        ("bcrypt", String(repeating: "x", count: 67) + "\u{e9}\u{e9}", false),
        ("Django bcrypt", String(repeating: "x", count: 73), true),
        ("WordPress", String(repeating: "x", count: 73), true),
        ("WordPress", " abc", false), ("phpass", "abc ", false), ("argon2", String(repeating: "x", count: 73), true),
    ])
    func `a hash that compares less than the whole password stays`(
        scheme: String, password: String, isReplaced: Bool
    ) throws {
        let hash = try #require(StoredHash(try Self.first(scheme)))
        #expect(hash.isReplaced(by: try #require(PasswordText(password)), at: .standard) == isReplaced)
    }

    /// Each hash, the password that is typed, and whether it runs beside ours: bcrypt of cost 10 does, up to two spellings.
    @Test(arguments: [
        ("$2b$10$", "abc", true), ("$2b$10$", "e\u{301}\u{e9}", false), ("$2b$12$", "abc", false),
        ("$2b$13$", "abc", false), ("$2b$14$", "abc", false),
        ("$argon2id$v=19$m=8,t=131072,p=1$", "abc", false), ("$argon2id$v=19$m=19456,t=8,p=1$", "abc", true),
        ("pbkdf2_sha256$2000000$", "abc", false), ("pbkdf2_sha256$100000$", "abc", true),
        ("scrypt$16$salt$8$16$", "abc", true), ("scrypt$16384$salt$8$16$", "abc", false),
    ])
    func `a check that takes longer than four of ours leaves the common threads`(
        head: String, password: String, isCommon: Bool
    ) async throws {
        let tail =
            switch head.prefix(2) {
            case "$2": String(String(repeating: "abcdefghi.", count: 6).prefix(53))
            case "$a": "AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"
            case "pb": "salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            default: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            }
        let hash = try #require(StoredHash(head + tail))
        let hasher = PasswordHasher(cost: .standard, threadCount: 1)
        #expect(hasher.isCommon(hash, try #require(PasswordText(password))) == isCommon)
        try await hasher.shutDown()
    }

    @Test func `ours of today's cost stays common, however many spellings a password has`() async throws {
        let cost = try #require(PasswordCost(memoryKiB: 19_456, iterations: 10))
        let hasher = PasswordHasher(cost: cost, threadCount: 1)
        let own = try await hasher.hash(try #require(PasswordText("abc")))
        #expect(hasher.isCommon(.own(own), try #require(PasswordText("e\u{301}\u{e9}"))))
        try await hasher.shutDown()
    }

    /// PBKDF2 with two million rounds, beside which 19 logins come: all are served.
    @Test func `slow hashes of other systems take no thread of ours`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 2)
        let password = try #require(PasswordText("correct horse battery"))
        let slow = try #require(
            StoredHash("pbkdf2_sha256$2000000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        async let others = withTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    do { return try await !hasher.verifies(password, against: slow) } catch { return false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try await Task.sleep(for: .milliseconds(50))
        let served = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<19 {
                group.addTask {
                    do { return try await !hasher.verifies(password, against: nil) } catch { return false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(served == 19)
        // Hashes above the bound of their own thread are refused at once.
        #expect((1..<12).contains(await others))
        try await hasher.shutDown()
    }

    /// Some implementations leave them set, ours does not, and a hash that is compared whole would never match.
    @Test func `bits of bcrypt's salt that say nothing are passed over`() throws {
        let hash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
        let spelled = hash.replacing("DeDu", with: "DeDv")
        #expect(spelled != hash)
        #expect(try #require(ForeignHash(spelled)).matches(try #require(PasswordText("abc"))))
        #expect(try !#require(ForeignHash(spelled)).matches(try #require(PasswordText("abd"))))
    }

    /// Each begins and ends threads, were they asked for: half a million of them at this cost.
    @Test func `lanes take no threads of their own`() throws {
        let salted = "$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"
        let hash = try #require(ForeignHash("$argon2id$v=19$m=32,t=32768,p=4" + salted))
        let before = try Self.startedThreads()
        #expect(try !hash.matches(try #require(PasswordText("correct horse battery"))))
        // Others run beside this one, and a thread of theirs may begin meanwhile.
        #expect(try Self.startedThreads() - before < 1_000)
    }

    /// Processes and threads that the machine has started so far.
    private static func startedThreads() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/stat", encoding: .utf8).split(separator: "\n")
        return try #require(
            lines.first { $0.hasPrefix("processes ") }?.split(separator: " ").last.flatMap { Int($0) })
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

    @Test func `a hash in our form may be of another spelling too`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 1)
        let typed = try #require(PasswordText("cafe\u{301} au lait"))
        let salt = [UInt8](repeating: 7, count: PasswordHash.saltBytes)
        let tag = try Argon2(.standard).tag(
            of: Array("cafe\u{301} au lait".utf8), salt: salt, byteCount: PasswordHash.tagBytes)
        let hash = StoredHash.own(PasswordHash(cost: .standard, salt: salt, tag: tag))
        #expect(try await hasher.verifies(typed, against: hash))
        #expect(try await hasher.verifies(try #require(PasswordText("caf\u{e9} au lait")), against: hash))
        #expect(try await !hasher.verifies(try #require(PasswordText("cafe\u{300} au lait")), against: hash))
        try await hasher.shutDown()
    }

    @Test(arguments: [(19_456, 2, false), (20_480, 2, true), (65_536, 4, true), (19_456, 3, true)])
    func `ours is replaced where it has another cost`(memoryKiB: Int, iterations: Int, isOutdated: Bool) throws {
        let salted = "$eaY2386zfLmrKi6XEu6/iA$9WLa1HLLsHLa7VeXy9kuFWcaW8ak/psYkFWvxCAF9UI"
        let hash = try #require(StoredHash("$argon2id$v=19$m=\(memoryKiB),t=\(iterations),p=1" + salted))
        #expect(hash.isReplaced(by: try #require(PasswordText("abc")), at: .standard) == isOutdated)
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

    @Test func `ours do not wait for hashes that fill more memory`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 1)
        let password = try #require(PasswordText("correct horse battery"))
        let large = try #require(
            StoredHash("$argon2id$v=19$m=131072,t=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"))
        let ended = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let isRight = try await hasher.verifies(password, against: large)
                    return isRight ? "right" : "large"
                }
            }
            group.addTask {
                // Behind them, were there one queue.
                try await Task.sleep(for: .milliseconds(20))
                let isRight = try await hasher.verifies(password, against: nil)
                return isRight ? "right" : "ours"
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ended.last == "large" && ended.sorted() == ["large", "large", "large", "ours"], "\(ended)")
        try await hasher.shutDown()
    }

    @Test func `a hash that there is no memory for is nobody's, but one of today's cost is checked`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 1, memoryKiBMax: 65_535)
        let vector = try #require(Self.vectors.first { $0.scheme == "argon2" })
        let password = try #require(PasswordText(vector.password))
        #expect(vector.hash.contains("m=65536"))
        #expect(try await !hasher.verifies(password, against: StoredHash(vector.hash)))
        let strong = PasswordHasher(
            cost: try #require(PasswordCost(memoryKiB: 70_000, iterations: 2)), threadCount: 1, memoryKiBMax: 65_535)
        let own = try await strong.hash(password)
        #expect(try await strong.verifies(password, against: .own(own)))
        #expect(try await !hasher.verifies(password, against: .own(own)))
        try await strong.shutDown()
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
        #expect(FirebaseParameters(shown.replacing("mem_cost: 14", with: "mem_cost: 18")) == nil)
        #expect(parameters.kept("$2b$05$x") == nil)
        // The alphabet of `firebase auth:export`.
        let exported = try #require(
            parameters.kept(
                "$firebase$42xEC-ixf3L2lw==$lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-"
                    + "VHjoZilo78198JAdRuid5lQ=="))
        #expect(try #require(ForeignHash(exported)).matches(try #require(PasswordText("user1password"))))
    }
}
