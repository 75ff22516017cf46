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

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
    func `script names are SHA-1 digests`(source: String, digest: String) {
        #expect(RedisScript(source).digest == digest)
    }

    @Test func `a script is called with its keys counted`() {
        let script = RedisScript("return 1")
        #expect(
            script.callByDigest(keys: ["a", "b"], arguments: ["x"])
                == ["EVALSHA", .text(script.digest), 2, "a", "b", "x"])
        #expect(script.load == ["SCRIPT", "LOAD", "return 1"])
        let reading = RedisScript("return 1", isReadOnly: true)
        #expect(reading.callByDigest(keys: [], arguments: []) == ["EVALSHA_RO", .text(script.digest), 0])
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
        #expect(Handshake.failure(for: .reply(message.utf8))?.code == code)
    }

    @Test func `the handshake names the user only with a password, and the password is in no description`() {
        var configuration = RedisConfiguration(username: "otp", password: "hidden")
        #expect(configuration.handshake == [["AUTH", "otp", "hidden"], ["PING"]])
        #expect("\(configuration)" == "redis://127.0.0.1:6379")
        configuration.username = nil
        #expect(configuration.handshake == [["AUTH", "hidden"], ["PING"]])
        configuration.password = nil
        #expect(configuration.handshake == [["PING"]])
    }
}
