import ArgumentParser
import CryptoPrimitives
import InternalAPI

/// A new secret of a client: 256 random bits. Services get only its hash.
struct NewClientSecret {
    private static let byteCount = 32

    /// The secret in base64url, as the client sends it.
    let text = Base64URL.encode(SecureRandom.bytes(byteCount))

    /// The SHA-256 of the text in base64url.
    var hash: String { Base64URL.encode(SHA256.hash(Array(text.utf8))) }
}

/// `latchkeyctl clients create`
struct ClientsCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Adds a client and prints its secret, which is shown only here.",
        discussion: """
            The back end gets tokens with it at POST /oauth/token. The secret is the last line of the output. The role 'admin' \
            allows the client everything that an administrator may do.
            """)

    @Argument(help: "The client's name, its client_id: \(ClientID.form).")
    var name: String

    @Option(help: "The client's role, the claim 'role' of its tokens.")
    var role: String

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let secret = NewClientSecret()
        let request = CreateClientRequest(clientID: name, role: role, secretHash: secret.hash)
        try await connection.withConnection { try await $0.call(ClientOperations.create, request) }
        print("created: \(name)\n\(secret.text)")
    }
}

/// `latchkeyctl clients rotate`
struct ClientsRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Gives a client another secret and prints it, which is shown only here.",
        discussion: """
            The newest two secrets are valid: give the client the new one, then rotate again later. The secret is the last line of \
            the output. For a secret that has leaked use --end-earlier; tokens that were issued stay valid for five minutes unless \
            the client is revoked.
            """)

    @Argument(help: "The client's name.")
    var name: String

    @Flag(help: "End the earlier secrets at once.")
    var endEarlier = false

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let secret = NewClientSecret()
        let request = RotateClientRequest(clientID: name, secretHash: secret.hash, endsEarlier: endEarlier)
        try await connection.withConnection { try await $0.call(ClientOperations.rotate, request) }
        print("rotated: \(name)\n\(secret.text)")
    }
}

/// `latchkeyctl clients key`
struct ClientsKey: AsyncParsableCommand {
    private static let fileBytesMax = 16_384

    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Lets a client show who it is with a private key (private_key_jwt).",
        discussion: """
            The file has a public key in PEM, or as a JWK: RSA of 2048 bits or more (RS256), P-256 (ES256), or Ed25519 (EdDSA). \
            The newest two keys are valid.
            """)

    @Argument(help: "The client's name.")
    var name: String

    @Option(help: ArgumentHelp("The file with the public key.", valueName: "file"))
    var publicKey: String

    @Flag(help: "End the earlier keys at once.")
    var endEarlier = false

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let bytes = try FileBytes.contents(of: publicKey, bytesMax: Self.fileBytesMax)
        let key = String(decoding: bytes, as: UTF8.self)
        // Neither a service nor the wire ever sees a private key.
        guard !key.contains("PRIVATE KEY"), !key.contains("\"d\"") else {
            throw CommandFailure(description: "\(publicKey): this is a private key. Use its public half.")
        }
        let request = ClientKeyRequest(clientID: name, key: key, endsEarlier: endEarlier)
        try await connection.withConnection { try await $0.call(ClientOperations.setKey, request) }
        print("key added: \(name)")
    }
}
