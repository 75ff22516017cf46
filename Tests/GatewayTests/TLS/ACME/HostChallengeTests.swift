import CryptoPrimitives
import FoundationEssentials
import NIOCore
import Policies
import TLSPairs
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite(.timeLimit(.minutes(5))) struct HostChallengeTests {
    private func challenge(_ host: String = "auth.example.com", token: String = "to-ken_1") throws -> HostChallenge {
        try #require(HostChallenge(host: host, token: token, key: try ACMEAccountKey(pem: NewTLSKey.pem())))
    }

    @Test func `a line of the folder's file is the same challenge again`() throws {
        let challenge = try challenge()
        #expect(HostChallenge(line: challenge.line.dropLast()) == challenge && challenge.token == "to-ken_1")
        for line in [
            "", "host", "host token", "host a.b.c", "host ../x.y", "host .y", "a b.c d",
            "host \(String(repeating: "a", count: 257)).b",
        ] {
            #expect(HostChallenge(line: line[...]) == nil, "\(line)")
        }
    }

    @Test(arguments: ["", "a/b", "a.b", "a b", "ä", "a=", String(repeating: "a", count: 257)])
    func `a token that is not base64url is no challenge`(token: String) throws {
        let key = try ACMEAccountKey(pem: NewTLSKey.pem())
        #expect(HostChallenge(host: "auth.example.com", token: token, key: key) == nil)
    }

    @Test func `the certificate of a challenge has the host and the digest, in a critical extension`() async throws {
        let challenge = try challenge()
        let chain = try #require(try challenge.pair().chain.first)
        let text = try await withScratchFolder { folder in
            try Data(chain).write(to: URL(filePath: folder + "/c.der"))
            return try await Shell.run("openssl x509 -inform DER -in c.der -noout -ext subjectAltName", in: folder)
                .output
        }
        #expect(text.contains("DNS:auth.example.com"), "\(text)")
        // The identifier 1.3.6.1.5.5.7.1.31, critical, and an OCTET STRING in the extension's own.
        let digest = Hex.encode(SHA256.hash(Array(challenge.authorization.utf8)))
        #expect(Hex.encode(chain).contains("06082b0601050507011f" + "0101ff" + "0422" + "0420" + digest))
    }

    @Test func `a board answers its own tokens and no others`() throws {
        let board = ChallengeBoard()
        let certificates = try TLSCertificates([], minimum: .tls13)
        let challenge = try challenge()
        try board.use([challenge], certificates)
        #expect(board.answer(to: "to-ken_1") == challenge.authorization && board.answer(to: "to-ken_2") == nil)
        try board.use([], certificates)
        #expect(board.answer(to: "to-ken_1") == nil)
    }

    @Test func `only a hello that offers the challenge's protocol alone gets its certificate, while there is one`()
        throws
    {
        let certificates = try TLSCertificates([], minimum: .tls13)
        let board = ChallengeBoard()
        let validator = ByteBuffer(bytes: [22, 3, 1, 0, 0, 16, 0, 13, 0, 11, 10] + Array("acme-tls/1".utf8))
        let browser = ByteBuffer(bytes: [0, 16, 0, 14, 0, 12, 2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8))
        let both = ByteBuffer(bytes: [0, 16, 0, 16, 0, 14, 2] + Array("h2".utf8) + [10] + Array("acme-tls/1".utf8))
        #expect(certificates.next(for: validator) == nil && certificates.next(for: browser) == nil)
        try board.use([try challenge(), try challenge("b.example.com", token: "two")], certificates)
        #expect(certificates.next(for: validator) != nil)
        #expect(certificates.next(for: browser) == nil && certificates.next(for: both) == nil)
        try board.use([], certificates)
        #expect(certificates.next(for: validator) == nil)
    }
}
