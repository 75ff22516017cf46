import AsyncHTTPClient
import Foundation
import OutgoingConnections
import ServiceCalls
import ServiceHTTP
import ServiceKit
import TestSupport
import Testing

/// TLS between the processes: which certificates callers accept, and how they are renewed.
@Suite(.timeLimit(.minutes(5))) struct InternalTLSTests {
    @Test(arguments: ["https://127.0.0.1", "https://localhost"])
    func `a service with a certificate for its address is called`(url: String) async throws {
        try await InternalTLS.run { tls in
            let problem = try await tls.problem(url)
            #expect(problem == nil)
            #expect(tls.received == 1)
        }
    }

    @Test(arguments: [
        (TestCertificate.Request.expired, "expired at 20"), (.otherName, "only for other.example"),
        (.init(names: ["localhost", "::1"]), "only for localhost, ::1"),
    ])
    func `an expired certificate and one for other names are refused, and the reason says so`(
        request: TestCertificate.Request, words: String
    ) async throws {
        try await InternalTLS.run(request) { tls in
            let problem = try await tls.problem() ?? ""
            #expect(problem.hasPrefix("untrusted_certificate: " + words), "\(problem)")
            #expect(tls.received == 0)
        }
    }

    @Test func `a certificate of another authority is refused, also one that the system could trust`() async throws {
        try await InternalTLS.run { tls in
            let other = try await TestAuthority.make("other", in: tls.folder)
            let trusting = try InternalAuthorities(file: other.certificate)
            let problem = try await tls.problem(trusting: trusting) ?? ""
            #expect(problem.hasPrefix("untrusted_certificate: not signed by a trusted authority"), "\(problem)")
            #expect(tls.received == 0)
        }
    }

    @Test func `a service with a certificate uses only TLS, and one without it none`() async throws {
        try await InternalTLS.run { tls in
            let plain = try await tls.problem("http://127.0.0.1")
            #expect(plain != nil && tls.received == 0)
        }
        try await InternalTLS.run(nil) { tls in
            let (secure, plain) = (try await tls.problem(), try await tls.problem("http://127.0.0.1"))
            #expect(secure == ConnectionFailure.handshakeFailed.rawValue && plain == nil)
        }
    }

    @Test func `an expired certificate that is renewed serves again`() async throws {
        try await InternalTLS.run(.expired) { tls in
            #expect(try await tls.problem() != nil)
            try await tls.place(.init())
            try tls.certificate?.reload()
            #expect(try await tls.problem() == nil)
        }
    }

    @Test func `a certificate that cannot be used leaves the old one in place`() async throws {
        try await InternalTLS.run { tls in
            try await tls.place(.expired)
            #expect(throws: SettingsError.self) { try tls.certificate?.reload() }
            try FileManager.default.removeItem(atPath: tls.folder + "/service.crt")
            #expect(throws: SettingsError.self) { try tls.certificate?.reload() }
            try Data("no certificate".utf8).write(to: URL(filePath: tls.folder + "/trusted"))
            #expect(throws: SettingsError.self) { try tls.authorities.reload() }
            #expect(try await tls.problem() == nil)
        }
    }

    @Test func `certificates and authorities are replaced under load, and no call fails`() async throws {
        try await InternalTLS.run { tls in
            #expect(try await tls.problem() == nil)
            let isOver = Flag()
            let other = try await TestAuthority.make("other", in: tls.folder)
            try await withThrowingTaskGroup(of: [String].self) { group in
                for index in 0..<4 {
                    group.addTask {
                        try await Self.load(tls, makesConnections: index < 2, until: isOver)
                    }
                }
                defer { isOver.set() }
                for issuer in [tls.authority, other, tls.authority, other] {
                    // The new authority is trusted before the first certificate of it is used.
                    try tls.trust([tls.authority, other])
                    try tls.authorities.reload()
                    try await tls.place(.init(), by: issuer)
                    try tls.certificate?.reload()
                    let before = tls.received
                    try await eventually("more calls") { tls.received > before + 20 }
                }
                isOver.set()
                for try await problems in group { #expect(problems.isEmpty) }
            }
            try tls.trust([tls.authority])
            try tls.authorities.reload()
            #expect(try await tls.problem()?.hasPrefix("untrusted_certificate: not signed") == true)
        }
    }

    /// Calls without a pause until it is over.
    ///
    /// - Parameter makesConnections: Whether each call has a connection of its own.
    private static func load(
        _ tls: InternalTLS, makesConnections: Bool, until isOver: Flag
    ) async throws -> [String] {
        let client = makeHTTPClient(connectSeconds: 60)
        var problems: [String] = []
        while !isOver.isSet {
            let url = "https://127.0.0.1"
            let problem = makesConnections ? try await tls.problem(url) : await tls.problem(url, over: client)
            if let problem { problems.append(problem) }
        }
        try await client.shutdown()
        return problems
    }
}

/// Settings of TLS between the processes that stop the start.
@Suite struct InternalTLSSettingsTests {
    private func lines(_ body: () throws -> Void) -> String {
        (#expect(throws: SettingsError.self) { try body() })?.description ?? ""
    }

    @Test func `an https address needs an authority`() async throws {
        try await withScratchFolder { folder in
            let urls = ["TOKEN_URL": "http://token:8082,https://token-2:8082"]
            let settings = try InternalTLS.settings(folder, urls)
            #expect(
                lines { _ = try settings.serviceURLs("TOKEN_URL") }.hasPrefix(
                    "LATCHKEY_INTERNAL_CA: is missing; TOKEN_URL contains an https address."))
            let trusting = try InternalTLS.settings(folder, urls.merging(["LATCHKEY_INTERNAL_CA": "ca"]) { $1 })
            #expect(try trusting.serviceURLs("TOKEN_URL") == ["http://token:8082", "https://token-2:8082"])
            #expect(
                lines { _ = try trusting.internalAuthorities() }
                    == "LATCHKEY_INTERNAL_CA: the file ca does not exist, cannot be read, or has no certificate in PEM."
            )
        }
    }

    @Test func `a certificate needs its file and its key`() async throws {
        try await withScratchFolder { folder in
            let settings = try InternalTLS.settings(folder)
            let missing = lines { _ = try ServiceCertificate(settings) }
            #expect(missing.hasPrefix("secret internal_tls_key: is missing; LATCHKEY_INTERNAL_TLS_CERTIFICATE is set."))
            let authority = try await TestAuthority.make(in: folder)
            try await authority.issue("another").place(in: folder, as: "service")
            try FileManager.default.removeItem(atPath: folder + "/service.crt")
            let noFile = lines { _ = try ServiceCertificate(settings) }
            #expect(noFile.hasPrefix("LATCHKEY_INTERNAL_TLS_CERTIFICATE: \(folder)/service.crt cannot be used: "))
            try await authority.issue("first").place(in: folder, as: "first")
            try FileManager.default.copyItem(atPath: folder + "/first.crt", toPath: folder + "/service.crt")
            let mixed = lines { _ = try ServiceCertificate(settings) }
            #expect(mixed.hasSuffix("cannot be used: the key is of another certificate"))
        }
    }

    @Test func `without the setting there is no certificate`() async throws {
        try await withScratchFolder { folder in
            let settings = try InternalTLS.settings(folder, ["LATCHKEY_INTERNAL_TLS_CERTIFICATE": ""])
            #expect(try ServiceCertificate(settings) == nil)
        }
    }
}
