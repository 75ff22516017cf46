import FoundationEssentials
import TestSupport
import Yams

/// An operation of the API documents, as far as access is concerned.
struct DocumentedOperation: Sendable, CustomStringConvertible {
    let dialect: String
    let method: String
    let path: String
    /// Whether it needs an access token.
    let needsToken: Bool
    /// Whether a token of a user without the role of an administrator is refused.
    let isForAdministrators: Bool
    /// The statuses that the document has.
    let statuses: Set<Int>
    /// The body of the example; `nil` if there is none.
    let body: String?

    var description: String { "\(dialect): \(method) \(path)" }
    /// The path with a value of each parameter that the operation cannot be without.
    var pathWithQuery: String { path + (Self.queries[path] ?? "") }
    /// Whether the path identifies one user, or one user's session or identity.
    var isOfOwner: Bool { path.contains("{id}") }
    /// Whether it changes another user; `AdminAPITests` lets an administrator do so.
    var isAdministration: Bool { path.hasPrefix("/admin/") && method != "GET" && !isOfActing }
    /// Whether it needs the role that acts as users, in place of that of administrators; `ActingTests` lets it act.
    var isOfActing: Bool { path == "/admin/users/{id}/act" }
    /// Whether it belongs to the API for administrators, the only one that is open to clients.
    var isOpenToClients: Bool { path.hasPrefix("/admin/") }
    /// Whether it removes one of the user's identities, which the last one refuses.
    var isOfIdentity: Bool { isOfOwner && path.hasPrefix("/users/me/identities/") }
    /// Whether it needs one of the user's passkeys, which no caller has; `PasskeySignInTests` has users with one.
    var isOfPasskey: Bool { path == "/users/me/passkeys/{id}" || path == "/auth/reauthenticate/options" }
    /// Whether it needs a session with two factors, which no caller has; `SecondFactorTests` has users with them.
    var isOfTwoFactors: Bool {
        ["/users/me/mfa/totp DELETE", "/users/me/mfa/recovery-codes POST"].contains("\(path) \(method)")
    }
    /// Whether the caller would need a new code or token, which no example has.
    let needsProof: Bool

    /// Returns the operations of all documents in `deploy/openapi`.
    static func all() throws -> [DocumentedOperation] {
        var all: [DocumentedOperation] = []
        for dialect in ["native", "aarokya", "gremlin", "uta", "voltyks"] {
            let file = dialect == "native" ? "latchkey" : "latchkey-\(dialect)"
            let text = try String(contentsOfFile: LatchkeyStack.root + "deploy/openapi/\(file).yaml", encoding: .utf8)
            for (path, operations) in pairs(try Yams.compose(yaml: text)?["paths"]) {
                all += pairs(operations).map { DocumentedOperation(dialect, $0.name, path, $0.node) }
            }
        }
        return all
    }

    private init(_ dialect: String, _ method: String, _ path: String, _ node: Node) {
        self.dialect = dialect
        self.method = method.uppercased()
        self.path = path
        let responses = Self.pairs(node["responses"])
        needsToken = node["security"]?.sequence?.contains { $0["bearer"] != nil } ?? false
        isForAdministrators =
            needsToken
            && responses.contains {
                $0.name == "403" && $0.node["description"]?.string?.lowercased().contains("forbidden") == true
            }
        statuses = Set(responses.compactMap { Int($0.name) })
        let example = node["requestBody"]?["content"]?["application/json"]?["example"]
        let changesAnother = path.hasPrefix("/admin/") && node["requestBody"] != nil
        let renames = path == "/users/me/passkeys/{id}" && node["requestBody"] != nil
        body =
            example.map(Self.json) ?? (changesAnother ? Self.administration : renames ? #"{"name":"Phone"}"# : nil)
        needsProof = example.map { $0["code"] != nil } ?? (node["requestBody"]?["required"]?.bool == true)
    }

    private static func pairs(_ node: Node?) -> [(name: String, node: Node)] {
        guard let mapping = node?.mapping else { return [] }
        return mapping.map { (name: $0.key.string ?? "", node: $0.value) }
    }

    private static let queries = ["/admin/audit": "?from=1&to=2", "/admin/trace": "?to=%2B15551230000"]

    /// A right body of each operation for administrators.
    private static let administration =
        #"{"phoneNumber":"+15551230000","to":"+15551230000","name":"Ann","decision":"clear","until":1}"#

    /// Returns an example, whose values are texts and flags, as JSON.
    private static func json(_ example: Node) -> String {
        let members = pairs(example).map { member in
            "\"\(member.name)\":" + (member.node.bool.map { "\($0)" } ?? "\"\(member.node.string ?? "")\"")
        }
        return "{\(members.joined(separator: ","))}"
    }
}

/// The caller of an operation in the matrix.
enum MatrixCaller: String, CaseIterable {
    /// Callers without a valid token: none, a text that is no token, the owner's with the signature of another token, and one of a
    /// revoked session.
    case anonymous, garbage, forged, revoked
    /// The user whose data it is, another user, and an administrator.
    case owner, another, administrator
    /// A client with the role of an administrator, and a person who acts as the user whose data it is.
    case client, acting

    /// The callers of an operation. One that needs no token has no owner, and no role plays a part.
    static func callers(of operation: DocumentedOperation) -> [MatrixCaller] {
        allCases.filter { caller in
            if operation.isAdministration, [.administrator, .client].contains(caller) { return false }
            return operation.needsToken || ![.owner, .administrator].contains(caller)
        }
    }

    var isSignedIn: Bool { [.owner, .another, .administrator].contains(self) }

    /// Whether a response has the status that the document and the rule of the owner lead to.
    func expects(_ status: Int, of operation: DocumentedOperation) -> Bool {
        guard operation.needsToken else { return operation.statuses.contains(status) }
        if operation.isOfActing, isSignedIn || self == .client { return status == 403 }
        if self == .client, operation.isOpenToClients { return status == 200 }
        guard isSignedIn else { return status == 401 }
        if operation.isForAdministrators, self != .administrator { return status == 403 }
        if operation.isOfOwner, self != .owner, !operation.isForAdministrators { return status == 404 }
        if operation.isOfPasskey { return status == 404 }
        if operation.isOfTwoFactors { return status == 401 }
        if operation.isOfIdentity { return status == 409 }
        if operation.needsProof { return (400..<500).contains(status) && operation.statuses.contains(status) }
        return status == (operation.statuses.contains(200) ? 200 : 204)
    }
}

/// The policy of the documents' examples, with more sign-ins, and without a limit that the matrix would meet.
enum AccessMatrixPolicy {
    private static let more = """
        apple: { audiences: [com.example.app], servicesID: com.example.web }
        oidc: { acme: { issuers: ["https://acme.example"], jwksURL: https://acme.example/keys, audiences: [a], clientID: a, \
        authorizeURL: https://acme.example/authorize, tokenURL: https://acme.example/token } }
        webRedirects: ["com.example.app:/signed-in"]
        phoneTokens: { fpnv: { issuer: "https://fpnv.example/1", jwksURL: https://fpnv.example/keys, audiences: [a] } }
        passkeys: { rpID: example.com, signUp: true, relatedOrigins: ["https://example.org"] }
        mfa: { totp: true }
        deletion: { page: true }
        admin: { api: true, limit: { max: 100000, windowSeconds: 60 }, withinSeconds: 86400, actAs: { role: support } }

        """

    /// Writes it, and returns its path.
    static func written() -> String {
        let path = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "latchkey-access-matrix.yaml"
        do {
            try String(contentsOfFile: LatchkeyStack.root + "Tests/Vectors/API/examples.yaml", encoding: .utf8)
                .replacing("edge: { ", with: more + "edge: { authLimit: { max: 100000, windowSeconds: 60 }, ")
                .write(toFile: path, atomically: true, encoding: .utf8)
        } catch { print("access-matrix: \(error)") }
        return path
    }
}
