import Foundation
import NIOCore
import TestSupport
import Testing

extension Live {
    /// Policies that the gateway reads again while clients send requests over HTTP/1.1 and HTTP/2.
    @Suite(.timeLimit(.minutes(5))) struct ReloadUnderLoadTests {
        private static let old = "  hstsSeconds: 0"

        private func write(_ line: String, for stack: LatchkeyStack) throws {
            try PolicyText.howru(changing: [Self.old: line])
                .write(toFile: stack.dataDirectory + "/policy.yaml", atomically: true, encoding: .utf8)
        }

        @Test func `ten policies, five of them refused, fail no request and end no connection`() async throws {
            try await TLSStack.run("ReloadUnderLoadTests", policy: [Self.old: Self.old]) { stack, _ in
                let port = try #require(stack.tls?.split(separator: ":").last.flatMap { Int($0) })
                let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
                let isOver = Flag()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    defer { isOver.set() }
                    for _ in 0..<2 {
                        group.addTask { try await Self.overHTTP1(stack, until: isOver) }
                        group.addTask { try await Self.overHTTP2(address, until: isOver) }
                    }
                    for number in 1...5 {
                        try write("  hstsSeconds: \(number)", for: stack)
                        try await stack.hangUp(expecting: "policy.reloaded")
                        try write("  hstsSeconds: -\(number)", for: stack)
                        try await stack.hangUp(expecting: "policy.refused")
                    }
                    isOver.set()
                    for try await count in group { #expect(count > 0) }
                }
            }
        }

        private static func overHTTP1(_ stack: LatchkeyStack, until isOver: Flag) async throws -> Int {
            var count = 0
            while !isOver.isSet {
                #expect(try await stack.gateway.get("/users/me").status == 401)
                count += 1
            }
            return count
        }

        /// Sends all requests over one connection.
        private static func overHTTP2(_ address: SocketAddress, until isOver: Flag) async throws -> Int {
            let client = try await RawHTTP2Client.connect(to: address, authority: TLSStackContext.authority)
            var id: UInt32 = 1
            while !isOver.isSet {
                #expect(try await client.answer(id, HTTP2Bytes.usual("/users/me")).status == 401)
                id += 2
                // Its window is not opened again.
                if id > 300 { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(!client.hasEnded && client.state.goAways.isEmpty)
            await client.close()
            return Int(id / 2)
        }
    }
}
