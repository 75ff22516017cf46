import Foundation
import TestSupport
import Testing

@testable import TLSPairs

@Suite(.timeLimit(.minutes(5))) struct CertificateRequestTests {
    @Test func `openssl reads the names and the key, and the signature is the key's`() async throws {
        try await withScratchFolder { folder in
            let key = try NewTLSKey.pem()
            let names = ["auth.example.com", "api.example.org"]
            try Data(key).write(to: URL(filePath: folder + "/key.pem"))
            try Data(try CertificateRequest.der(names: names, key: key)).write(
                to: URL(filePath: folder + "/request.der"))
            let found = try await Shell.run(
                """
                set -e
                openssl req -inform DER -in request.der -noout -verify -text
                openssl req -inform DER -in request.der -noout -pubkey >mine
                openssl pkey -in key.pem -pubout | cmp - mine
                """, in: folder)
            #expect(found.isSuccess && found.output.contains("verify OK"), "\(found.output)")
            #expect(found.output.contains("DNS:auth.example.com, DNS:api.example.org"), "\(found.output)")
        }
    }

    @Test func `names that no certificate can have, and a text that is no key, are refused`() throws {
        let key = try NewTLSKey.pem()
        #expect(throws: NewCertificate.Failure.self) { try CertificateRequest.der(names: [], key: key) }
        #expect(throws: NewCertificate.Failure.self) {
            try CertificateRequest.der(names: ["a.example"], key: Array("no key".utf8))
        }
    }
}
