import CArgon2
import CryptoPrimitives
import Policies
import Testing

@testable import Passwords

/// The rules for a password, and the stored hash of it.
@Suite struct PasswordTests {
    private static func password(_ text: String) throws -> PasswordText { try #require(PasswordText(text)) }

    /// RFC 9106 §5.3: the library is the algorithm of the standard.
    @Test func `the standard's vector for Argon2id`() throws {
        var tag = [UInt8](repeating: 0, count: 32)
        var (password, salt) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 16))
        var (secret, data) = ([UInt8](repeating: 3, count: 8), [UInt8](repeating: 4, count: 12))
        let code = unsafe tag.withUnsafeMutableBufferPointer { tag in
            unsafe password.withUnsafeMutableBufferPointer { password in
                unsafe salt.withUnsafeMutableBufferPointer { salt in
                    unsafe secret.withUnsafeMutableBufferPointer { secret in
                        unsafe data.withUnsafeMutableBufferPointer { data in
                            var context = unsafe argon2_context(
                                out: tag.baseAddress, outlen: 32, pwd: password.baseAddress, pwdlen: 32,
                                salt: salt.baseAddress, saltlen: 16, secret: secret.baseAddress, secretlen: 8,
                                ad: data.baseAddress, adlen: 12, t_cost: 3, m_cost: 32, lanes: 4, threads: 4,
                                version: UInt32(ARGON2_VERSION_13.rawValue), allocate_cbk: nil, free_cbk: nil, flags: 0)
                            return unsafe argon2id_ctx(&context)
                        }
                    }
                }
            }
        }
        #expect(code == ARGON2_OK.rawValue)
        #expect(Hex.encode(tag) == "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659")
    }

    /// Made by PyPI's argon2-cffi 23.1 with the same parameters.
    @Test func `a hash of another implementation is checked`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 1)
        let hash = try #require(PasswordHash(Self.foreign))
        #expect(hash.text == Self.foreign)
        #expect(try await hasher.verifies(Self.password("correct horse battery"), against: .own(hash)))
        #expect(try await !hasher.verifies(Self.password("correct horse batterz"), against: .own(hash)))
        try await hasher.shutDown()
    }

    private static let foreign =
        "$argon2id$v=19$m=19456,t=2,p=1$eaY2386zfLmrKi6XEu6/iA$9WLa1HLL"
        + "sHLa7VeXy9kuFWcaW8ak/psYkFWvxCAF9UI"

    @Test func `what is hashed is checked, however it was typed, and a missing hash is no password's`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 2)
        let composed = try Self.password("caf\u{E9}-au-lait")
        let hash = try await hasher.hash(composed)
        #expect(try await hasher.hash(composed) != hash)
        #expect(try await hasher.verifies(Self.password("cafe\u{301}-au-lait"), against: .own(hash)))
        #expect(try await !hasher.verifies(Self.password("cafe-au-lait"), against: .own(hash)))
        #expect(try await !hasher.verifies(composed, against: nil))
        let other = PasswordHash(cost: hash.cost, salt: hash.salt, tag: [UInt8](repeating: 0, count: 32))
        #expect(try await !hasher.verifies(composed, against: .own(other)))
        try await hasher.shutDown()
    }

    @Test(arguments: [
        "", "$argon2i$v=19$m=19456,t=2,p=1$", "x", String(repeating: "$", count: 5),
        foreign.replacing("m=19456", with: "m=4194304"), foreign.replacing("t=2", with: "t=11"),
        foreign.replacing("p=1", with: "p=2"), foreign.replacing("v=19", with: "v=16"), foreign + "A",
        foreign.replacing("m=19456", with: "m=99999999999999999999"), String(foreign.dropLast()),
    ])
    func `a stored line that is not ours costs nothing`(_ text: String) { #expect(PasswordHash(text) == nil) }

    @Test func `nothing is cut off, and what is too long is nobody's`() throws {
        #expect(PasswordText("") == nil)
        #expect(PasswordText(String(repeating: "a", count: 129)) == nil)
        #expect(PasswordText("a" + String(repeating: "\u{301}", count: 5_000)) == nil)
        let long = String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 128)
        #expect(try Self.password(long).length == 128)
        #expect(try Self.password(" a ").bytes == Array(" a ".utf8))
    }

    @Test func `the whole list is refused, in any case, and so is one's own address`() throws {
        let rule = PasswordPolicy()
        #expect(CommonPasswords.all.count == 11_611)
        for word in CommonPasswords.all {
            #expect(try !rule.allows(Self.password(String(word)), for: "ann@example.com"))
            #expect(try !rule.allows(Self.password(word.uppercased()), for: "ann@example.com"))
        }
        #expect(try !rule.allows(Self.password("Ann@Example.com"), for: "ann@example.com"))
        #expect(try !rule.allows(Self.password("1b9-xQz"), for: "ann@example.com"))
        #expect(try rule.allows(Self.password("1b9-xQzL"), for: "ann@example.com"))
        #expect(try rule.allows(Self.password("password1234-and-more"), for: "ann@example.com"))
    }

    /// How many of a hundred hashes may wait at once.
    private static func admitted(_ load: HashThreads.Load, seconds: Double) -> Int {
        var (load, count) = (load, 0)
        for _ in 0..<100 where load.admit(seconds: seconds) { count += 1 }
        return count
    }

    @Test func `what waits is limited, in number and in time`() {
        #expect(Self.admitted(HashThreads.Load(threadCount: 2), seconds: 0.001) == 66)
        #expect(Self.admitted(HashThreads.Load(threadCount: 2), seconds: 0.19) == 23)
        // A request that finds a free thread does not wait, however slow hashes are.
        #expect(Self.admitted(HashThreads.Load(threadCount: 2), seconds: 10) == 2)
    }

    @Test func `the bound follows the time that hashes take on this machine`() {
        var load = HashThreads.Load(threadCount: 1)
        for _ in 0..<100 where load.admit(seconds: 0.1) { load.note(seconds: 0.4, estimate: 0.1) }
        #expect(load.done == 100 && load.slowness > 3.9 && load.slowness < 4.1)
        #expect(Self.admitted(load, seconds: 0.11) == 5)
    }

    @Test func `above the limit one is told so at once, and all that were taken are done`() async throws {
        let hasher = PasswordHasher(cost: .standard, threadCount: 1)
        let password = try Self.password("correct horse battery")
        _ = try await hasher.hash(password)
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do { _ = try await hasher.hash(password) } catch is PasswordHasher.Busy { return false }
                    return true
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect((1...70).contains(done))
        #expect(try await hasher.verifies(password, against: .own(hasher.hash(password))))
        try await hasher.shutDown()
    }

    @Test func `no policy asks for less than is safe, or for what fills the machine`() {
        #expect(PasswordCost(memoryKiB: 19_455, iterations: 2) == nil)
        #expect(PasswordCost(memoryKiB: 262_145, iterations: 2) == nil)
        #expect(PasswordCost(memoryKiB: 19_456, iterations: 1) == nil)
        #expect(PasswordCost(memoryKiB: 19_456, iterations: 11) == nil)
        #expect(PasswordCost(memoryKiB: 65_536, iterations: 3)?.iterations == 3)
    }
}
