import AccessTokens
import AuthAPI
import CryptoPrimitives
import StrictJSON
import TestSupport
import Testing

private enum HostilePolicyFile {
    static let path = PasskeyClient.policy("hostile-passkeys", "signUp: true, perUserMax: 50")
}

/// One hostile response to a challenge, by the credential's JSON.
private struct HostileCase: Sendable {
    typealias Make = @Sendable (SoftwareAuthenticator, [UInt8]) throws -> String

    let name: String
    let make: Make

    /// An assertion with other client data.
    static func client(
        _ name: String, type: String = "webauthn.get", challenge: (@Sendable (String) -> String)? = nil,
        origin: String? = nil, more: String = ",\"crossOrigin\":false"
    ) -> HostileCase {
        HostileCase(name: name) { key, bytes in
            let text = Base64URL.encode(bytes)
            let data = key.clientData(type, challenge: challenge.map { $0(text) } ?? text, origin: origin, more: more)
            return try key.assertion(challenge: bytes, clientData: data).json
        }
    }

    /// An assertion with other client data, byte by byte.
    static func bytes(_ name: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) -> HostileCase {
        HostileCase(name: name) { key, bytes in
            let data = key.clientData("webauthn.get", challenge: Base64URL.encode(bytes))
            return try key.assertion(challenge: bytes, clientData: change(data)).json
        }
    }

    /// An assertion with other authenticator data.
    static func data(
        _ name: String, _ make: @escaping @Sendable (SoftwareAuthenticator) -> [UInt8]
    ) -> HostileCase {
        HostileCase(name: name) { try $0.assertion(challenge: $1, authenticatorData: make($0)).json }
    }

    /// An assertion that is changed after it was signed.
    static func changed(
        _ name: String, _ change: @escaping @Sendable (inout SoftwareAssertion) -> Void
    ) -> HostileCase {
        HostileCase(name: name) { key, bytes in
            var assertion = try key.assertion(challenge: bytes)
            change(&assertion)
            return assertion.json
        }
    }
}

extension HostileCase {
    private static let origin = PasskeyClient.origin

    /// Hostile assertions. The numbers are those of the guide's table of hostile inputs.
    static let assertions: [HostileCase] = ofClientData + ofOrigins + ofData + ofParts

    private static let ofClientData: [HostileCase] = [
        .client("1 the type of a registration", type: "webauthn.create"),
        .client("2 another challenge", challenge: { _ in Base64URL.encode([UInt8](repeating: 7, count: 32)) }),
        .client("2 no challenge", challenge: { _ in "" }),
        .client("3 a padded challenge", challenge: { $0 + "=" }),
        .client("3 a challenge with set trailing bits", challenge: withTrailingBits),
        .client("3 a challenge with a space", challenge: { $0 + " " }),
        .client("7 a frame of another site", more: ",\"crossOrigin\":true"),
        .client("7 a crossOrigin that is a text", more: ",\"crossOrigin\":\"false\""),
        .client("7 a topOrigin", more: ",\"crossOrigin\":false,\"topOrigin\":\"\(origin)\""),
        .client("8 two origins", more: ",\"origin\":\"\(origin)\""),
        .client("8 two types", more: ",\"type\":\"webauthn.get\""),
        .client("9 client data of 5 KB", more: ",\"more\":\"\(String(repeating: "x", count: 5_000))\""),
        .bytes("9 a BOM") { [0xEF, 0xBB, 0xBF] + $0 },
        .bytes("9 no JSON") { $0.dropLast() },
        .bytes("9 a byte after the object") { $0 + [0] },
        .bytes("9 no client data") { _ in [] },
    ]

    private static let ofOrigins: [HostileCase] = [
        "https://localhost:5173", "http://localhost:5174", "http://localhost", origin + "/", "http://LOCALHOST:5173",
        origin + ".evil.com", "http://evil.com", "null", "", "http://localhost:5173\\u0000",
        "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 9, count: 32)),
    ].map { (value: String) in .client("5 6 the origin \(value)", origin: value) }

    private static let ofData: [HostileCase] = [
        .data("10 another relying party") { $0.authenticatorData(relyingPartyID: "localhost.evil.com") },
        .data("11 no user present") { $0.authenticatorData(flags: 0x1C) },
        .data("11 no user verified") { $0.authenticatorData(flags: 0x19) },
        .data("12 backed up and not eligible") { $0.authenticatorData(flags: 0x15) },
        .data("13 an attested credential") { $0.authenticatorData(credential: $0.attestedCredential()) },
        .data("14 announced extensions that are missing") { $0.authenticatorData(flags: 0x9D) },
        .data("14 extensions that are not announced") { $0.authenticatorData(flags: 0x1D, extensions: [0xA0]) },
        .data("15 a byte after the data") { $0.authenticatorData() + [0] },
        .data("15 data that are cut off") { $0.authenticatorData().dropLast() },
        .data("18 nested extensions") {
            $0.authenticatorData(extensions: [UInt8](repeating: 0x81, count: 3_000) + [0])
        },
        .data("19 a map of 2^32 members") { $0.authenticatorData(extensions: [0xBA, 0xFF, 0xFF, 0xFF, 0xFF]) },
        .data("33 no longer eligible for backup") { $0.authenticatorData(flags: 0x05) },
    ]

    private static let ofParts: [HostileCase] = [
        .changed("16 an id of no bytes") { $0.setID([]) },
        .changed("16 an id of 15 bytes") { $0.setID([UInt8](repeating: 1, count: 15)) },
        .changed("16 an id of 1,024 bytes") { $0.setID([UInt8](repeating: 1, count: 1_024)) },
        .changed("16 an unknown id") { $0.setID([UInt8](repeating: 1, count: 32)) },
        .changed("17 another rawId") { $0.rawID = Base64URL.encode([UInt8](repeating: 1, count: 32)) },
        .changed("17 a padded id") { ($0.id, $0.rawID) = ($0.id + "=", $0.rawID + "=") },
        .changed("17 another type") { $0.type = "password" },
        .changed("29 no user handle") { $0.userHandle = nil },
        .changed("29 an empty user handle") { $0.userHandle = "" },
        .changed("29 another user handle") { $0.userHandle = Base64URL.encode([UInt8](repeating: 1, count: 32)) },
        .changed("30 no signature") { $0.signature = [] },
        .changed("30 a raw signature") { $0.signature = [UInt8](repeating: 1, count: 64) },
        .changed("30 r = s = 0") { $0.signature = [0x30, 6, 2, 1, 0, 2, 1, 0] },
        .changed("31 a byte after the signature") { $0.signature.append(0) },
        .changed("31 a signature of 8 KB") { $0.signature = [UInt8](repeating: 0x30, count: 8_000) },
        .changed("32 data that are changed after signing") { $0.authenticatorData[36] ^= 1 },
        .changed("32 client data that are changed after signing") { $0.clientData.append(0x20) },
        HostileCase(name: "30 a signature of another key") { key, challenge in
            var other = try SoftwareAuthenticator(
                relyingPartyID: "localhost", origin: origin, userHandle: key.userHandle)
            other.credentialID = key.credentialID
            return try other.assertion(challenge: challenge).json
        },
    ]

    /// Another spelling of the bytes for a lenient decoder: base64url of 32 bytes leaves two bits of its last character.
    private static let withTrailingBits: @Sendable (String) -> String = { text in
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = text.last.flatMap { alphabet.firstIndex(of: $0) } ?? 0
        return String(text.dropLast()) + String(alphabet[last | 1])
    }

    /// Hostile registrations, each refused with `passkey_invalid`.
    static let registrations: [HostileCase] = ofCreation + ofObjects

    private static let ofCreation: [HostileCase] =
        [("1 the type of a sign-in", "webauthn.get", ""), ("7 a frame", "webauthn.create", ",\"crossOrigin\":true")].map
    {
        name, type, more in
        HostileCase(name: name) { key, challenge in
            let data = key.clientData(type, challenge: Base64URL.encode(challenge), more: more)
            return key.registration(challenge: challenge, clientData: data).json
        }
    }

    private static let ofObjects: [HostileCase] = [
        HostileCase(name: "2 another challenge") { key, _ in key.registration(challenge: [1, 2, 3]).json },
        HostileCase(name: "10 another relying party") { key, challenge in
            let data = key.authenticatorData(relyingPartyID: "evil.com", credential: key.attestedCredential())
            return key.registration(challenge: challenge, authenticatorData: data).json
        },
        HostileCase(name: "11 no user verified") { key, challenge in
            let data = key.authenticatorData(flags: 0x41, credential: key.attestedCredential())
            return key.registration(challenge: challenge, authenticatorData: data).json
        },
        HostileCase(name: "13 no credential") { key, challenge in
            key.registration(challenge: challenge, authenticatorData: key.authenticatorData()).json
        },
        HostileCase(name: "15 a byte after the object") { key, challenge in
            let data = key.authenticatorData(credential: key.attestedCredential())
            let object = SoftwareAuthenticator.attestationObject(authenticatorData: data) + [0]
            return key.registration(challenge: challenge, attestationObject: object).json
        },
        HostileCase(name: "16 an id of 15 bytes") { key, challenge in
            var key = key
            key.credentialID = [UInt8](repeating: 1, count: 15)
            return key.registration(challenge: challenge).json
        },
        HostileCase(name: "17 an id that differs") { key, challenge in
            let data = key.authenticatorData(
                credential: key.attestedCredential(id: [UInt8](repeating: 1, count: 32)))
            return key.registration(challenge: challenge, authenticatorData: data).json
        },
        HostileCase(name: "18 a nested object") { key, challenge in
            let object = [UInt8](repeating: 0x81, count: 7_000) + [0]
            return key.registration(challenge: challenge, attestationObject: object).json
        },
        HostileCase(name: "20 none with a statement") { key, challenge in
            let data = key.authenticatorData(credential: key.attestedCredential())
            let statement = CBORWriter.map([(CBORWriter.text("alg"), CBORWriter.integer(-7))])
            let object = SoftwareAuthenticator.attestationObject(statement: statement, authenticatorData: data)
            return key.registration(challenge: challenge, attestationObject: object).json
        },
        HostileCase(name: "21 no point on the curve") { key, challenge in
            var members = key.publicKeyMembers
            members[3].value = CBORWriter.bytes([UInt8](repeating: 5, count: 32))
            let data = key.authenticatorData(credential: key.attestedCredential(publicKey: CBORWriter.map(members)))
            return key.registration(challenge: challenge, authenticatorData: data).json
        },
        HostileCase(name: "22 another algorithm") { key, challenge in
            var members = key.publicKeyMembers
            members[1].value = CBORWriter.integer(-8)
            let data = key.authenticatorData(credential: key.attestedCredential(publicKey: CBORWriter.map(members)))
            return key.registration(challenge: challenge, authenticatorData: data).json
        },
        HostileCase(name: "25 a private member in the key") { key, challenge in
            let members =
                key.publicKeyMembers + [
                    (key: CBORWriter.integer(-4), value: CBORWriter.bytes([UInt8](repeating: 5, count: 32)))
                ]
            let data = key.authenticatorData(credential: key.attestedCredential(publicKey: CBORWriter.map(members)))
            return key.registration(challenge: challenge, authenticatorData: data).json
        },
        HostileCase(name: "no discoverable credential") { key, challenge in
            var registration = key.registration(challenge: challenge)
            registration.extensionResults = "{\"credProps\":{\"rk\":false}}"
            return registration.json
        },
    ]
}

extension SoftwareAssertion {
    fileprivate mutating func setID(_ bytes: [UInt8]) {
        (id, rawID) = (Base64URL.encode(bytes), Base64URL.encode(bytes))
    }
}

extension Live {
    /// Hostile passkeys over HTTP: all of a kind get the same response, and the owner's own passkey works throughout.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": HostilePolicyFile.path]))
    struct HostilePasskeyTests {
        let stack: LatchkeyStack
        let client: PasskeyClient

        init() throws {
            stack = try #require(RunningStack.current)
            client = PasskeyClient(stack: stack)
        }

        @Test func `each hostile assertion is one and the same 401, and locks no user out`() async throws {
            let user = try await client.user()
            var texts: Set<String> = []
            for hostile in HostileCase.assertions {
                let options = try await client.options()
                let credential = try hostile.make(user.authenticator, options.challenge)
                let answer = try await client.send("/auth/passkeys/verify", options.body(credential))
                #expect(answer.status == 401, "\(hostile.name): \(answer.status) \(answer.text)")
                texts.insert(answer.text)
            }
            #expect(texts.count == 1 && texts.first?.contains("passkey_refused") == true, "\(texts)")
            #expect(HostileCase.assertions.count > 50)
            #expect(try await client.signIn(user.authenticator).status == 200)
        }

        @Test func `a challenge that is altered, of another purpose, or no challenge is that 401`() async throws {
            let user = try await client.user()
            let token = user.signIn.tokens.accessToken
            let refused = try await client.signIn(
                SoftwareAuthenticator(
                    relyingPartyID: "localhost", origin: PasskeyClient.origin,
                    userHandle: [UInt8](repeating: 1, count: 32)))
            let options = try await client.options()
            let others = [
                try await client.options("/auth/passkeys/signup/options"),
                try await client.options("/users/me/passkeys/options", bearer: token),
                try await client.options("/auth/reauthenticate/options", bearer: token),
            ]
            let flipped = (options.id.hasPrefix("A") ? "B" : "A") + String(options.id.dropFirst())
            let ids = [flipped, options.id + "A", String(options.id.dropLast()), "", "AAAA", "\\u0000"]
            let long = String(repeating: "A", count: 9_000)
            let bodies =
                try (ids + [long]).map { id in
                    let credential = try user.authenticator.assertion(challenge: options.challenge).json
                    return "{\"challengeId\":\"\(id)\",\"credential\":\(credential)}"
                } + others.map { $0.body(try user.authenticator.assertion(challenge: $0.challenge).json) }
            for body in bodies {
                let answer = try await client.send("/auth/passkeys/verify", body)
                #expect(answer.status == 401 && answer.text == refused.text, "\(answer.text) \(body.prefix(60))")
            }
            let right = options.body(try user.authenticator.assertion(challenge: options.challenge).json)
            #expect(try await client.send("/auth/passkeys/verify", right).status == 200)
        }

        @Test func `each hostile registration is passkey_invalid, and adds nothing`() async throws {
            let token = try await stack.signIn().tokens.accessToken
            for hostile in HostileCase.registrations {
                let options = try await client.options("/users/me/passkeys/options", bearer: token)
                let key = try SoftwareAuthenticator(
                    relyingPartyID: "localhost", origin: PasskeyClient.origin, userHandle: options.userHandle)
                let answer = try await client.send(
                    "/users/me/passkeys", options.body(try hostile.make(key, options.challenge)), bearer: token)
                #expect(answer.status == 400, "\(hostile.name): \(answer.status) \(answer.text)")
                #expect(try answer.json["code"]?.stringValue == "passkey_invalid", "\(hostile.name)")
            }
            // A challenge of another user, and one of a sign-in.
            let other = try await stack.signIn().tokens.accessToken
            for options in [
                try await client.options("/users/me/passkeys/options", bearer: other), try await client.options(),
            ] {
                let key = try SoftwareAuthenticator(
                    relyingPartyID: "localhost", origin: PasskeyClient.origin, userHandle: [1, 2, 3])
                let body = options.body(key.registration(challenge: options.challenge).json)
                #expect(try await client.send("/users/me/passkeys", body, bearer: token).status == 400)
            }
            let list = try await stack.gateway.get("/users/me/passkeys", bearer: token)
            #expect(list.text.contains("\"passkeys\":[]"), "\(list.text)")
            #expect(try await client.add(bearer: token).answer.status == 201)
        }

        @Test func `a body that is too large or of another form is refused by the edge`() async throws {
            for (body, status) in [
                ("{}", 400), ("[]", 400), ("", 400), ("{\"challengeId\":\"a\",\"credential\":{}}", 400),
                ("{\"challengeId\":\"\(String(repeating: "a", count: 17_000))\"}", 413),
            ] {
                let answer = try await client.send("/auth/passkeys/verify", body)
                #expect(answer.status == status, "\(answer.status) \(answer.text)")
            }
        }
    }
}
