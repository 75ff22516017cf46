import RedisClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedisClientFaultTests {
    @Test func `a killed and restarted server is found again, by the first command`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { client in
                #expect(try await client.send(["SET", "a", "1"]).text == "OK")
                try await server.kill()
                try await eventually("the client has noticed") { !client.isConnected }
                try await server.launch()
                #expect(try await client.send(["GET", "a"]).isNull)
            }
        }
    }

    @Test func `what was written before a crash is read after it, when Redis keeps it on disk`() async throws {
        let configuration = ["appendonly yes", "appendfsync always"]
        try await withRedisServer(configuration: configuration) { server in
            try await withClient(of: server) { client in
                for number in 1...5 {
                    #expect(try await client.send(["INCR", "a"]).integerValue == Int64(number))
                    try await server.restart()
                    try await eventually("a reply") { await failure { try await client.send(["GET", "a"]) } == nil }
                }
            }
        }
    }

    @Test func `a command in flight when the server dies fails as sent, at once`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { watch in
                try await withClient(of: server) { client in
                    async let error = failure { try await client.send(["BLPOP", "list", "0"]) }
                    try await watch.seesBlockedClient()
                    try await server.kill()
                    #expect(await error?.code == .connectionLost)
                    #expect(await error?.wasSent == true)
                }
            }
        }
    }

    @Test func `a frozen server means timeouts in time, and no shifted replies afterwards`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server, { $0.commandTimeout = .milliseconds(300) }) { client in
                try await eventually("the client is connected") { client.isConnected }
                try server.freeze()
                let frozen = ContinuousClock.now
                let errors = await withTaskGroup { group in
                    for number in 0..<200 {
                        group.addTask {
                            await failure { try await client.send(["ECHO", "old-\(number)"]) }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1?.code) }
                }
                // They wait at the same time: one after another they would take a minute.
                #expect(ContinuousClock.now - frozen < .seconds(30))
                #expect(errors.count == 200)
                #expect(errors.contains(.timeout))
                #expect(errors.allSatisfy { $0 == .timeout || $0 == .connectionLost || $0 == .notConnected })
                let later = await failure { try await client.send(["PING"]) }
                #expect(later?.code == .notConnected || later?.code == .timeout)
                try server.thaw()
                // Its time is so short that a busy machine may exceed it, but no reply may be another command's.
                var answered = 0
                try await eventually("500 replies") {
                    do throws(RedisError) {
                        while answered < 500 {
                            #expect(try await client.send(["ECHO", "new-\(answered)"]).text == "new-\(answered)")
                            answered += 1
                        }
                        return true
                    } catch { return false }
                }
            }
        }
    }

    @Test func `without a server commands wait for their time, then fail as not sent`() async throws {
        try await withRedisServer { server in
            try await server.kill()
            try await withClient(of: server, { $0.commandTimeout = .milliseconds(200) }) { client in
                let start = ContinuousClock.now
                let error = await failure { try await client.send(["PING"]) }
                #expect(error?.code == .notConnected)
                #expect(error?.wasSent == false)
                #expect(ContinuousClock.now - start >= .milliseconds(195))
            }
        }
    }

    @Test func `commands given before the server is there are answered once it is`() async throws {
        try await withRedisServer { server in
            try await server.kill()
            try await withClient(of: server) { client in
                try await withThrowingTaskGroup { group in
                    for number in 0..<100 {
                        group.addTask {
                            let reply = try await client.send(["ECHO", "\(number)"])
                            #expect(reply.text == "\(number)")
                        }
                    }
                    try await server.launch()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func `no more commands wait than allowed`() async throws {
        try await withRedisServer { server in
            try await server.kill()
            try await withClient(
                of: server,
                {
                    $0.pendingCommandsMax = 10
                    $0.connectionCount = 1
                }
            ) { client in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<100 {
                        group.addTask { await failure { try await client.send(["PING"]) }?.code }
                    }
                    for _ in 0..<90 { #expect(try await group.next() == .tooManyPending) }
                    try await server.launch()
                    while let code = try await group.next() { #expect(code == nil) }
                }
            }
        }
    }

    @Test func `a connection that the server resets amid pipelines never shifts replies`() async throws {
        try await withRedisServer { server in
            try await withClient(of: server) { client in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for _ in 0..<20 {
                            _ = await failure {
                                try await client.send(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"])
                            }
                            try await Task.sleep(for: .milliseconds(10))
                        }
                    }
                    for task in 0..<20 {
                        group.addTask {
                            for number in 0..<200 {
                                do throws(RedisError) {
                                    let reply = try await client.send(["ECHO", "\(task)-\(number)"])
                                    #expect(reply.text == "\(task)-\(number)")
                                } catch {
                                    #expect(error.code == .connectionLost)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
