import Policies
import ServiceKit
import Testing

@testable import GatewayCore

/// The reports of a gateway about the policy that it reads again.
@Suite struct PolicyReloadTests {
    private static let text = """
        issuer: example.com
        audience: example-api
        profiles: { mobile: { algorithm: RS256 } }
        dialects: [{ name: native, profile: mobile }]
        countries: { allowed: all }

        """

    private func hash(_ text: String) throws -> String {
        try Policy.parse(text, file: "p.yaml").hash
    }

    @Test func `policies with the same effect have the same hash`() throws {
        let hash = try hash(Self.text)
        #expect(hash.utf8.count == 12 && hash.utf8.allSatisfy { $0 != UInt8(ascii: " ") })
        #expect(try self.hash("# a comment\nedge: { hstsSeconds: 0 }\n" + Self.text) == hash)
        #expect(try self.hash("edge: { hstsSeconds: 1 }\n" + Self.text) != hash)
    }

    @Test func `a code that lets people in is not found by its hash`() throws {
        let codes = try ["135790", "246801"].map {
            try hash("otp: { fixedCode: { code: \"\($0)\", environments: [uat] } }\n" + Self.text)
        }
        #expect(codes[0] == codes[1])
    }

    @Test func `keys that need a restart are named, and not hundreds`() {
        let few = PolicyReload.NeedsRestart(policy: "p", keys: ["issuer", "otp.length"])
        #expect(few.description.hasPrefix("p: issuer, otp.length changed, which takes effect only in a restart."))
        let many = PolicyReload.NeedsRestart(policy: "p", keys: (1...30).map { "k\($0)" })
        #expect(many.description.hasPrefix("p: k1, ") && many.description.contains("k10 and 20 more changed"))
    }
}
