import SupervisorCore
import Testing

@Suite struct RedisFilesTests {
    @Test func `every service has its own keys, a hashed password and nothing dangerous`() {
        let names = Manifest.redisUsers.map(\.name)
        let text = RedisACL.text(passwords: Dictionary(uniqueKeysWithValues: names.map { ($0, "b") }))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 9)
        #expect(lines.first?.hasPrefix("user default off") == true)
        // SHA-256 of "b".
        let hash = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
        #expect(lines.contains { $0.hasPrefix("user otp on #\(hash) resetchannels ~otp:* ~audit:otp -@all ") })
        for word in ["eval", "script", "scan", "keys", "flushall", "config"] {
            let holders = lines.dropFirst().filter { $0.contains(" +\(word)") }
            let allowed = ["script": ["operator", "sentinel"], "config": ["sentinel"]][word] ?? []
            #expect(holders.map { String($0.split(separator: " ")[1]) } == allowed, "\(word)")
        }
        #expect(lines.dropFirst().allSatisfy { !$0.contains("+@") })
    }

    @Test func `Sentinels may write a server's file, change no setting, and meet at one channel`() throws {
        let line = try #require(RedisACL.text(passwords: ["sentinel": "a"]).split(separator: "\n").last)
        #expect(line.contains(" +config|rewrite ") && !line.contains(" +config ") && !line.contains("~"))
        #expect(line.split(separator: " ").filter { $0.hasPrefix("&") } == ["&__sentinel__:hello"])
        #expect(RedisACL.text(passwords: ["replica": "a"]).contains(" resetchannels -@all +auth +info +ping"))
    }

    @Test func `who loads functions has no keys, and who has keys loads none`() {
        for user in Manifest.redisUsers {
            let loads = user.commands.contains("function|load")
            #expect(loads == (user.name == "functions") && !(loads && !user.keys.isEmpty))
            #expect(user.commands.contains("function|kill") == (user.name == "operator"))
        }
    }

    @Test func `the gateway can only read revocations`() throws {
        let line = try #require(RedisACL.text(passwords: ["gateway": "a"]).split(separator: "\n").last)
        #expect(line.contains(" %R~rev:* "))
        #expect(!line.contains(" ~rev:*"))
    }

    @Test func `Redis evicts nothing, listens on loopback and keeps an append-only file`() {
        let lines = RedisConfigurationFile.text(port: 20_001, directory: "/d", aclFile: "/d/a").split(separator: "\n")
        for line in [
            "bind 127.0.0.1", "port 20001", "appendonly yes", "appendfsync everysec", "maxmemory 128mb",
            "maxmemory-policy noeviction", "hz 100", "aclfile \"/d/a\"",
        ] { #expect(lines.contains(Substring(line))) }
        let small = RedisConfigurationFile.text(port: 1, directory: "/d", aclFile: "/a", memoryMegabytes: 64)
        #expect(small.contains("maxmemory 64mb\n"))
    }

    @Test func `its socket file is its owner's`() {
        let text = RedisConfigurationFile.text(port: 1, socket: "/d/r.sock", directory: "/d", aclFile: "/a")
        #expect(text.hasSuffix("\nunixsocket \"/d/r.sock\"\nunixsocketperm 700\n"))
    }

    @Test func `a path with quotes, backslashes and spaces stays one argument`() {
        let text = RedisConfigurationFile.text(port: 1, directory: #"/a b/"c"\d"#, aclFile: "/a")
        #expect(text.contains(#"dir "/a b/\"c\"\\d""#))
    }
}
