import FoundationEssentials
import NIOCore
import RedisClient
import ServerNames
import TestSupport
import Testing

/// TLS to a real server: certificates are verified, and the client shows its own.
@Suite(.timeLimit(.minutes(5))) struct RedisTLSTests {
    private struct Scene {
        let port: Int
        let authority: TestAuthority

        /// Returns why a command over TLS fails; `nil` if it succeeds.
        func failure(
            _ host: String = "127.0.0.1", authorities: String? = nil, certificate: TestCertificate? = nil
        ) async throws -> RedisError? {
            let pair = try certificate.map { (try Self.bytes($0.certificate), try Self.bytes($0.key)) }
            let file = authorities ?? authority.certificate
            let tls = try RedisTLS { RedisTLS.Material(authorities: file, pair: pair) }
            let server = RedisLocation.server(.tcp(host: host, port: port))
            var configuration = RedisConfiguration(server, tls: tls).patient
            configuration.names = .system(within: .seconds(60))
            return try await withRedisClient(configuration) { client in
                await RedisClientTests.failure { try await client.send(["SET", "a", "1"]) }
            }
        }

        private static func bytes(_ path: String) throws -> [UInt8] {
            Array(try String(contentsOfFile: path, encoding: .utf8).utf8)
        }
    }

    private func withServer(
        _ request: TestCertificate.Request = .init(), options: [String] = [], _ body: (Scene) async throws -> Void
    ) async throws {
        try await withScratchFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            _ = try await authority.issue("redis", request)
            let port = try await FreePort.find()
            let server = try await RedisServer.start(
                configuration: [
                    "port 0", "tls-port \(port)", "tls-cert-file \(folder)/redis.crt",
                    "tls-key-file \(folder)/redis.key",
                    "tls-ca-cert-file \(authority.certificate)",
                ] + (options.isEmpty ? ["tls-auth-clients no"] : options))
            do { try await body(Scene(port: port, authority: authority)) } catch {
                try await server.stop()
                throw error
            }
            try await server.stop()
        }
    }

    @Test func `a server with a certificate of a trusted authority is used, by address and by name`() async throws {
        try await withServer { scene async throws in
            #expect(try await scene.failure() == nil)
            #expect(try await scene.failure("localhost") == nil)
        }
    }

    @Test(arguments: [TestCertificate.Request.otherName, .expired])
    func `a certificate of another name, or one that has ended, is refused`(
        request: TestCertificate.Request
    ) async throws {
        try await withServer(request) { scene async throws in
            #expect(try await scene.failure()?.code == .notConnected)
        }
    }

    @Test func `a certificate of an authority that is not trusted is refused`() async throws {
        try await withServer { scene async throws in
            let other = try await TestAuthority.make("other", in: scene.authority.folder)
            #expect(try await scene.failure(authorities: other.certificate)?.code == .notConnected)
        }
    }

    @Test func `a server that asks for a certificate gets the client's`() async throws {
        try await withServer(options: ["tls-auth-clients yes"]) { scene async throws in
            #expect(try await scene.failure()?.code == .notConnected)
            let own = try await scene.authority.issue("client")
            #expect(try await scene.failure(certificate: own) == nil)
        }
    }

    @Test func `authorities that are read again count for new connections, and unreadable ones change nothing`()
        async throws
    {
        try await withServer { scene async throws in
            let other = try await TestAuthority.make("other", in: scene.authority.folder)
            let file = scene.authority.folder + "/trusted.crt"
            func trust(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }
            try trust(String(contentsOfFile: other.certificate, encoding: .utf8))
            let tls = try RedisTLS { RedisTLS.Material(authorities: file, pair: nil) }
            let server = RedisLocation.server(.tcp(host: "127.0.0.1", port: scene.port))
            try await withRedisClient(RedisConfiguration(server, tls: tls)) { client in
                try await eventually("the reason is named") {
                    client.problem?.contains("the certificate of the server cannot be verified") == true
                }
                try trust(String(contentsOfFile: scene.authority.certificate, encoding: .utf8))
                try tls.reload()
                try await eventually("it is trusted") { client.isConnected }
                try trust("nothing")
                #expect(throws: (any Error).self) { try tls.reload() }
                #expect(try #require(tls.ends["redis-ca"]) > 0)
            }
        }
    }

    @Test func `the problem of a certificate for another name is named`() async throws {
        try await withServer(.otherName) { scene async throws in
            let authorities = scene.authority.certificate
            let tls = try RedisTLS { RedisTLS.Material(authorities: authorities, pair: nil) }
            let server = RedisLocation.server(.tcp(host: "localhost", port: scene.port))
            try await withRedisClient(RedisConfiguration(server, tls: tls)) { client in
                try await eventually("the reason is named") { client.problem?.contains("is for another name") == true }
            }
        }
    }
}
