import EdgeHTTP
import InternalAPI
import Policies

/// The part of the API that a row belongs to, under the heading of the documents.
enum APISection: String, Sendable, CaseIterable {
    case codes = "Codes to phones"
    case mail = "Codes and links by mail"
    case passwords = "Passwords"
    case addresses = "An email address from the operator"
    case identityTokens = "Identity tokens"
    case phoneTokens = "Phone tokens"
    case browser = "Providers in a browser"
    case passkeys = "Passkeys"
    case secondFactors = "Second factors"
    case sessions = "Sessions"
    case user = "The user"
    case identities = "Identities"
    case administration = "Administration"
    case deployment = "About this deployment"
    case services = "Services"
}

/// The statements of a row about itself for the API document.
struct APIOperation: Sendable {
    /// A body of a request or response, or another way in which values travel.
    enum Content: Sendable, Equatable {
        case json(JSONShape)
        /// A body that may be missing.
        case optionalJSON(JSONShape)
        /// A form or the query, with its required and its optional fields.
        case form([String], optional: [String] = [])
        case query([String], optional: [String] = [])
        /// A page for browsers.
        case page
        /// A text that the client does not have to read.
        case file(mediaType: String)
        /// No body; a redirection has a `Location`.
        case nothing

        static func json(_ type: (some Decodable).Type) -> Content { .json(JSONShape(of: type)) }
        static func optionalJSON(_ type: (some Decodable).Type) -> Content { .optionalJSON(JSONShape(of: type)) }

        var shape: JSONShape? {
            switch self {
            case .json(let shape), .optionalJSON(let shape): shape
            default: nil
            }
        }
    }

    let section: APISection
    /// A sentence without its full stop.
    let summary: String
    let takes: Content
    /// The response by its status, without the refusals.
    let returns: [Int: Content]
    /// The refusals of the row's own, in addition to those of every row.
    let refusals: [Refusal]
}

extension DialectRow {
    /// This row with its statements for the API document.
    ///
    /// - Parameters:
    ///   - also: another status that is no refusal.
    ///   - content: its body.
    func documented(
        _ section: APISection, _ summary: String,
        takes: @autoclosure @escaping @Sendable () -> APIOperation.Content = .nothing,
        _ returns: @autoclosure @escaping @Sendable () -> APIOperation.Content, status: Int = 200,
        also: Int? = nil, with content: @autoclosure @escaping @Sendable () -> APIOperation.Content = .nothing,
        refusals: @autoclosure @escaping @Sendable () -> [Refusal] = []
    ) -> DialectRow {
        var row = self
        row.operation = {
            var all = [status: returns()]
            if let also { all[also] = content() }
            return APIOperation(
                section: section, summary: summary, takes: takes(), returns: all, refusals: refusals())
        }
        return row
    }

    /// Every refusal of the row: its own, and those of the edge.
    var refusals: [Refusal] {
        let takesJSON = operation()?.takes.shape != nil
        return (operation()?.refusals ?? []) + (takesJSON ? [.invalidBody(.notJSON)] : [])
            + (access == .bearer ? [.noAccessToken, .accessTokenExpired, .accessTokenInvalid] : [])
            + (counting == .nothing ? [] : [.tooManyRequests(.init(max: 1, windowSeconds: 60), retryAfterSeconds: 60)])
            + (ignoresCookies ? [] : [.crossSite, .ambiguousCookie]) + Refusal.ofEveryRow
    }
}

extension Refusal {
    /// Refusals of the edge that any request may get, whatever its row.
    static let ofEveryRow: [Refusal] =
        [.httpsRequired, .encodedBody, .unavailable, .notFound]
        + HTTPViolation.allCases.filter { !elsewhereOnly.contains($0) }.map { .violation($0) }

    private static let elsewhereOnly = [.unknownMethod, .forbiddenMethod] + HTTPViolation.ofWebSockets

    /// Refusals of requests that reach no row, and of the app's API.
    private static let elsewhere: [Refusal] =
        [
            .methodNotAllowed(["GET"]), .roleMissing(["admin"]),
            .authenticationTooWeak(RequiredAuthentication(maxAgeSeconds: 300, level: .aal2)),
            .upstream(.timeout), .upstream(.unreachable), .upstream(.brokenAnswer),
        ] + elsewhereOnly.map { .violation($0) }

    /// Every refusal that a client may get, with any policy.
    static let everyOne =
        elsewhere + ofEveryRow + requestCode + requestMail + signInByCode + signInByMail + signInByIdentityToken
        + signInByPhoneToken + signInInBrowser + signInByPassword + refresh + logOut + clientTokens + webhook
        + accountMail
        + reauthentication + addIdentity + merge + accounts(.noIdentity, .lastIdentity, .noAddress)
        + deletion + UserOperations.deleteAccount.refusals + UserOperations.listAsAdmin.refusals
        + administration + signInByPasskey + addPasskey + removePasskey + secondFactorChange + signInBySecondFactor
        + accounts(
            .invalidName, .weakPassword, .registrationClosed, .invalidLink, .wrongPassword, .noPassword, .changePending)
        + [
            .noAccessToken, .accessTokenExpired, .notAssignable, anyChangedElsewhere, .forgedCallback, .crossSite,
            .ambiguousCookie,
        ]
}
