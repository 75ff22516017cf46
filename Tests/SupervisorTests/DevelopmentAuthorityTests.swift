import FoundationEssentials
import TestSupport
import Testing

@testable import SupervisorCore

/// Judged by the `openssl` command.
@Suite struct DevelopmentAuthorityTests {
    private let data = DataDirectory(FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString)

    private func inFolder(_ body: () async throws -> Void) async throws {
        try data.create()
        do { try await body() } catch {
            try FileManager.default.removeItem(atPath: data.path)
            throw error
        }
        try FileManager.default.removeItem(atPath: data.path)
    }

    private func verify(_ name: String, certificate: String? = nil) async throws -> Shell.Outcome {
        let certificate = certificate ?? data.tlsPairs + "/default.crt"
        return try await Shell.run(
            "openssl verify -x509_strict -purpose sslserver -CAfile \(data.tlsAuthority) \(name) \(certificate)",
            in: "/")
    }

    @Test func `the gateway's certificate is good for this machine's names, and no file is anybody else's to read`()
        async throws
    {
        try await inFolder {
            try DevelopmentAuthority.complete(in: data, address: "192.168.1.20")
            for name in ["-verify_hostname localhost", "-verify_ip 127.0.0.1", "-verify_ip 10.0.2.2", "-verify_ip ::1"]
            {
                #expect(try await verify(name).isSuccess, "\(name)")
            }
            #expect(try await verify("-verify_ip 192.168.1.20").isSuccess)
            #expect(try await !verify("-verify_hostname example.com").isSuccess)
            for file in [data.tls + "/ca.key", data.tlsPairs + "/default.key"] {
                #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func `a later start keeps the authority and the key, and takes this machine's new address`() async throws {
        try await inFolder {
            try DevelopmentAuthority.complete(in: data, address: nil)
            let files = [data.tlsAuthority, data.tls + "/ca.key", data.tlsPairs + "/default.key"]
            let before = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
            #expect(try await !verify("-verify_ip 192.168.7.7").isSuccess)
            try DevelopmentAuthority.complete(in: data, address: "192.168.7.7")
            #expect(try files.map { try String(contentsOfFile: $0, encoding: .utf8) } == before)
            #expect(try await verify("-verify_ip 192.168.7.7").isSuccess)
        }
    }

    @Test func `an authority whose key is lost is made anew, so that the gateway's certificate is good`() async throws {
        try await inFolder {
            try DevelopmentAuthority.complete(in: data, address: nil)
            try FileManager.default.removeItem(atPath: data.tls + "/ca.key")
            try DevelopmentAuthority.complete(in: data, address: nil)
            #expect(try await verify("-verify_hostname localhost").isSuccess)
        }
    }

    @Test func `devices refuse what the authority says about names that are not this machine's`() async throws {
        try await inFolder {
            try DevelopmentAuthority.complete(in: data, address: nil)
            for (name, isGood) in [("localhost", true), ("printer.local", false), ("bank.example", false)] {
                let made = try await Shell.run(
                    """
                    openssl req -new -key pairs/default.key -subj "/CN=\(name)" -addext subjectAltName=DNS:\(name) \
                        -out request &&
                    printf 'subjectAltName=DNS:\(name)\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n' > extensions &&
                    openssl x509 -req -in request -CA ca.crt -CAkey ca.key -days 9 -extfile extensions -out forged.crt
                    """, in: data.tls)
                try #require(made.isSuccess, "\(made.output)")
                let verdict = try await verify("-verify_hostname \(name)", certificate: data.tls + "/forged.crt")
                #expect(verdict.isSuccess == isGood, "\(name): \(verdict.output)")
                #expect(isGood || verdict.output.contains("permitted subtree violation"), "\(verdict.output)")
            }
        }
    }

    @Test(arguments: [
        ("desk", true, "DNS:localhost,DNS:desk,DNS:desk.local,IP:127.0.0.1,IP:::1,IP:10.0.2.2"),
        ("desk", false, "DNS:localhost,IP:127.0.0.1,IP:::1,IP:10.0.2.2"),
        (nil, false, "DNS:localhost,IP:127.0.0.1,IP:::1,IP:10.0.2.2"),
    ])
    func `a name that the authority was not made for is left out`(host: String?, isVouchedFor: Bool, names: String) {
        #expect(DevelopmentAuthority.alternativeNames(host: host, isVouchedFor: isVouchedFor, address: nil) == names)
    }
}
