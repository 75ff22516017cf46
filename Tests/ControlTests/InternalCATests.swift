import Foundation
import TLSPairs
import TestSupport
import Testing

@testable import ControlCore

/// `latchkeyctl internal-ca`, checked with the `openssl` command.
@Suite struct InternalCATests {
    private func hosts(_ texts: String...) throws -> [InternalHost] {
        try texts.map { try #require(InternalHost(argument: $0)) }
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func pair(_ name: String, _ folder: String) throws -> TLSPair {
        try TLSPair(
            name: name, certificatePEM: try bytes("\(folder)/\(name).crt"), keyPEM: try bytes("\(folder)/\(name).key"))
    }

    @Test func `it makes an authority and a certificate for each host, whose keys only their owner can read`()
        async throws
    {
        try await withScratchFolder { scratch in
            let folder = scratch + "/ca"
            let lines = try InternalAuthority(folder: folder).renew(try hosts("otp", "db-1.internal,10.0.0.2,fd00::1"))
            #expect(lines.map { $0.prefix { $0 != ":" } } == ["internal-ca.crt", "db-1.internal.crt", "otp.crt"])
            #expect(lines[1].hasPrefix("db-1.internal.crt: db-1.internal, 10.0.0.2, fd00::1, valid until 20"))
            #expect(try pair("db-1.internal", folder).names == ["db-1.internal", "10.0.0.2", "fd00::1"])
            for name in ["internal-ca", "otp", "db-1.internal"] {
                #expect(try mode("\(folder)/\(name).key") == 0o600 && mode("\(folder)/\(name).crt") == 0o644)
            }
            let check = try await Shell.run(
                "openssl verify -purpose sslserver -CAfile internal-ca.crt otp.crt db-1.internal.crt", in: folder)
            #expect(check.isSuccess, "\(check.output)")
        }
    }

    @Test func `an existing authority and existing keys stay, and all certificates are renewed`() async throws {
        try await withScratchFolder { scratch in
            let folder = scratch + "/ca"
            let authority = InternalAuthority(folder: folder)
            _ = try authority.renew(try hosts("otp,10.0.0.1", "token"))
            let (before, issuer) = (try pair("otp", folder), try bytes(folder + "/internal-ca.crt"))
            let lines = try authority.renew(try hosts("token,10.0.0.9"))
            #expect(lines.count == 3 && lines[1].hasPrefix("otp.crt: otp, 10.0.0.1, "))
            let after = try pair("otp", folder)
            #expect(after.pin == before.pin && after.chain != before.chain && after.names == before.names)
            #expect(try pair("token", folder).names == ["token", "10.0.0.9"])
            #expect(try bytes(folder + "/internal-ca.crt") == issuer)
        }
    }

    @Test func `an interrupted run is finished, and an authority without its key is refused`() async throws {
        try await withScratchFolder { scratch in
            let folder = scratch + "/ca"
            let authority = InternalAuthority(folder: folder)
            _ = try authority.renew(try hosts("otp"))
            try FileManager.default.removeItem(atPath: folder + "/otp.crt")
            #expect(throws: CommandFailure.self) { try authority.renew([]) }
            #expect(try authority.renew(try hosts("otp")).count == 2)
            try FileManager.default.removeItem(atPath: folder + "/internal-ca.key")
            let missing = #expect(throws: CommandFailure.self) { try authority.renew([]) }
            #expect(
                missing?.description.hasSuffix("has internal-ca.crt without internal-ca.key. Put the key there.")
                    == true)
        }
    }

    @Test func `a host's certificate is valid for no longer than its authority, and none is made by an expired one`()
        async throws
    {
        try await withScratchFolder { folder in
            let soon = try await TestAuthority.make("internal-ca", in: folder, lifetimeSeconds: 86_400)
            _ = try InternalAuthority(folder: folder).renew(try hosts("otp"))
            let end = try NewCertificate.notAfter(of: try bytes(soon.certificate), file: "internal-ca.crt")
            #expect(abs(try pair("otp", folder).notAfter - end) <= 2)
            _ = try await TestAuthority.make("internal-ca", in: folder, lifetimeSeconds: -60)
            let expired = #expect(throws: CommandFailure.self) { try InternalAuthority(folder: folder).renew([]) }
            #expect(expired?.description.contains("has expired") == true)
        }
    }

    @Test func `a folder with certificates of another authority is left as it is`() async throws {
        try await withScratchFolder { scratch in
            let folder = scratch + "/tls"
            let other = try await TestAuthority.make("other", in: scratch)
            try await other.issue("public").place(in: folder, as: "public")
            let before = try bytes(folder + "/public.crt")
            for hosts in [[], try hosts("public"), try hosts("otp")] {
                let refused = #expect(throws: CommandFailure.self) {
                    try InternalAuthority(folder: folder).renew(hosts)
                }
                #expect(refused?.description.contains("public.crt") == true)
            }
            #expect(try bytes(folder + "/public.crt") == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["public.crt", "public.key"])
        }
    }

    @Test(arguments: [
        "", "otp,", "../otp", "otp/1", "a b", "-otp", "otp..x", "DNS:otp", "internal-ca", "otp,email:x@y",
        "otp\n", String(repeating: "a", count: 254), String(repeating: "a", count: 64),
        String(repeating: "a.", count: 32) + "a",
    ])
    func `what is no host is refused`(text: String) { #expect(InternalHost(argument: text) == nil) }
}
