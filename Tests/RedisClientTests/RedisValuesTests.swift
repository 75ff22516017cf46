import NIOCore
import Testing

@testable import RedisClient

@Suite struct RedisValuesTests {
    @Test func `a command is an array of bulk strings by length`() {
        var buffer = ByteBuffer()
        CommandEncoder.write(["SET", .bytes([0x0D, 0x0A]), .integer(-7), "é", ""], to: &buffer)
        #expect(String(buffer: buffer) == "*5\r\n$3\r\nSET\r\n$2\r\n\r\n\r\n$2\r\n-7\r\n$2\r\né\r\n$0\r\n\r\n")
    }

    @Test(arguments: [0, 9, 10, 99, 100, 255, 256, 1000])
    func `lengths are decimal whatever their size`(count: Int) {
        var buffer = ByteBuffer()
        CommandEncoder.write(
            Array(repeating: .bytes(Array(repeating: 0x61, count: count)), count: max(count, 1)), to: &buffer)
        let argument = "$\(count)\r\n" + String(repeating: "a", count: count) + "\r\n"
        #expect(
            String(buffer: buffer) == "*\(max(count, 1))\r\n" + String(repeating: argument, count: max(count, 1)))
    }

    @Test func `values convert only when they are what is asked for`() {
        #expect(RedisValue.string(Array("12".utf8)).integerValue == 12)
        #expect(RedisValue.string(Array("12x".utf8)).integerValue == nil)
        #expect(RedisValue.string([0xFF]).text == nil)
        #expect(RedisValue.string([0xFF]).bytes == [0xFF])
        #expect(RedisValue.status("OK").text == "OK")
        #expect(RedisValue.null.text == nil && RedisValue.null.isNull && RedisValue.null.integerValue == nil)
        #expect(RedisValue.array([.null]).arrayValue == [.null])
        #expect(RedisValue.integer(1).arrayValue == nil)
    }

    @Test func `an error for an unknown command does not repeat its arguments`() {
        let error = RedisError.reply("ERR unknown command 'AUHT', with args beginning with: 'secret' ".utf8)
        #expect(error.message == "ERR unknown command 'AUHT'")
        #expect(error.wasSent && error.replyPrefix == "ERR")
        #expect(RedisError.reply([UInt8](repeating: 0x41, count: 10_000)).message.utf8.count == 256)
        #expect(RedisError(.timeout, "NOPERM").replyPrefix == nil)
    }

    @Test func `a function is called with its keys counted, its arguments, and its constants last`() {
        let library = RedisLibrary("test", [.init("write", "return 1"), .init("read", "return 2", .reads)])
        let write = library.function("write", constants: ["rules"])
        #expect(
            write.call(keys: ["a", "b"], arguments: ["x"]) == ["FCALL", .text(write.name), 2, "a", "b", "x", "rules"])
        let read = library.function("read")
        #expect(read.call(keys: [], arguments: []) == ["FCALL_RO", .text(read.name), 0])
    }

    @Test func `names follow from the content, the time of loading aside`() {
        let library = RedisLibrary("test", [.init("a", "return 1")])
        #expect(library.name.wholeMatch(of: /latchkey_test_[0-9a-f]{16}/) != nil)
        #expect(library.name == RedisLibrary("test", [.init("a", "return 1")]).name)
        let others = [
            RedisLibrary("other", [.init("a", "return 1")]), RedisLibrary("test", [.init("a", "return 2")]),
            RedisLibrary("test", [.init("b", "return 1")]), RedisLibrary("test", shared: " ", [.init("a", "return 1")]),
            RedisLibrary("test", [.init("a", "return 1", .reads)]),
        ]
        #expect(Set((others + [library]).map(\.name)).count == others.count + 1)
        #expect(library.source(loadedAt: 7).contains("description='loaded at 7'"))
    }

    @Test func `of each service the newest libraries stay, and those of this release always`() {
        func listed(_ service: String, _ number: Int, _ time: Int64) -> RedisLibraryListing {
            RedisLibraryListing(name: "latchkey_\(service)_\(number)", time: time)
        }
        let otp = (1...6).map { listed("otp", $0, Int64($0)) }
        let all = otp + [listed("user", 1, 1)]
        #expect(
            RedisLibraryListing.superfluous(all, keeping: ["latchkey_otp_6"]) == ["latchkey_otp_1", "latchkey_otp_2"])
        #expect(
            RedisLibraryListing.superfluous(all, keeping: ["latchkey_otp_1"]) == ["latchkey_otp_2", "latchkey_otp_3"])
        #expect(RedisLibraryListing.superfluous(Array(all.suffix(2)), keeping: []).isEmpty)
    }

    @Test func `delays double from 10 to 500 ms, shortened by at most half`() {
        let backoff = ReconnectBackoff()
        let longest = (1...8).map { backoff.delay(afterFailures: $0, jitter: 1) }
        #expect(longest == [10, 20, 40, 80, 160, 320, 500, 500].map { .milliseconds($0) })
        #expect(backoff.delay(afterFailures: 1, jitter: 0) == .milliseconds(5))
        #expect(backoff.delay(afterFailures: .max, jitter: 1) == .milliseconds(500))
        #expect(backoff.delay(afterFailures: .min, jitter: 7) == .milliseconds(10))
    }

    @Test(arguments: [
        ("WRONGPASS invalid username-password pair or user is disabled.", RedisError.Code.authenticationFailed),
        ("NOAUTH Authentication required.", .authenticationFailed),
        ("ERR AUTH <password> called without any password configured", .authenticationFailed),
        ("ERR max number of clients reached", .connectionLost),
        ("LOADING Redis is loading the dataset in memory", .connectionLost),
        ("NOPERM this user has no permissions to run the 'ping' command", nil),
    ])
    func `an error reply to the handshake is told apart`(message: String, code: RedisError.Code?) {
        #expect(Handshake.failure(for: .failure(.reply(message.utf8)), isRole: false)?.code == code)
    }

    @Test func `only a master that says so is used, and an account that may not ask is told what it lacks`() {
        func failure(_ reply: RedisReply) -> RedisError? { Handshake.failure(for: reply, isRole: true) }
        #expect(failure(.success(.array([.string(Array("master".utf8))]))) == nil)
        for reply: RedisValue in [.array([.string(Array("slave".utf8))]), .array([]), .status("OK"), .null] {
            #expect(failure(.success(reply)) == .replaced)
        }
        let refused = failure(.failure(.reply("NOPERM this user has no permissions to run the 'role' command".utf8)))
        #expect(refused?.code == .authenticationFailed && refused?.message.contains("+role") == true)
    }

    @Test func `the handshake names the user only with a password, and the password is in no description`() {
        var configuration = RedisConfiguration(username: "otp", password: "hidden")
        #expect(configuration.handshake == [["AUTH", "otp", "hidden"], ["PING"], ["ROLE"]])
        #expect("\(configuration)" == "redis://127.0.0.1:6379")
        configuration.username = nil
        #expect(configuration.handshake == [["AUTH", "hidden"], ["PING"], ["ROLE"]])
        configuration.password = nil
        #expect(configuration.handshake == [["PING"], ["ROLE"]])
    }
}
