import RedisClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedisClientAccessTests {
    private let users = [
        "user default off", "user otp on >right ~otp:* +@all -flushall", "user mute on >right ~* +get +role",
    ]

    @Test func `a user does what the server allows, and the rest is an error`() async throws {
        try await withRedisServer(users: users) { server in
            try await withClient(of: server, signIn("otp", "right")) { client in
                let reply = try await client.send(["SET", "otp:a", "1"])
                #expect(reply.text == "OK")
                for command: [RedisArgument] in [["SET", "rev:a", "1"], ["GET", "rev:a"], ["FLUSHALL"]] {
                    let error = await failure { try await client.send(command) }
                    #expect(error?.replyPrefix == "NOPERM")
                }
            }
        }
    }

    @Test func `a user that may not PING can still work`() async throws {
        try await withRedisServer(users: users) { server in
            try await withClient(of: server, signIn("mute", "right")) { client in
                let reply = try await client.send(["GET", "a"])
                #expect(reply.isNull)
            }
        }
    }

    @Test(arguments: [("otp", "wrong"), ("nobody", "right"), ("default", "right")])
    func `a wrong user or password fails commands as such`(name: String, password: String) async throws {
        try await withRedisServer(users: users) { server in
            try await withClient(of: server, signIn(name, password)) { client in
                let error = await failure { try await client.send(["PING"]) }
                #expect(error?.code == .authenticationFailed)
                #expect(error?.wasSent == false)
                #expect(!client.isConnected)
            }
        }
    }

    @Test func `attempts with a wrong password are few, and a right one is found by itself`() async throws {
        try await withRedisServer(users: users + ["user watch on >watch ~* +@all"]) { server in
            try await withClient(of: server, signIn("watch", "watch")) { watch in
                try await withClient(of: server, signIn("otp", "next")) { client in
                    // A rate is measured: this is the time in which attempts are counted.
                    try await Task.sleep(for: .seconds(1))
                    let connections = try await watch.statistic("total_connections_received")
                    // Two connections of each client, delays from 10 ms doubling to 500 ms.
                    #expect(try #require(connections) < 40)
                    _ = try await watch.send(["ACL", "SETUSER", "otp", "resetpass", ">next"])
                    try await eventually("the client is connected") { client.isConnected }
                    #expect(try await client.send(["GET", "otp:a"]).isNull)
                }
            }
        }
    }

    private func signIn(_ name: String, _ password: String) -> (inout RedisConfiguration) -> Void {
        { configuration in
            configuration.username = name
            configuration.password = password
        }
    }
}
