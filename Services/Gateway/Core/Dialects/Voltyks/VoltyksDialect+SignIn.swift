import EdgeHTTP
import InternalAPI

/// Sign-in and refresh.
extension VoltyksDialect {
    /// `POST /api/Auth/Login`: signs in by a password. The response does not reveal whether an account is inactive.
    @Sendable func logIn(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        do throws(Refusal) {
            let signedIn = try await request.signInByPassword(in: name, useCases)
            let issued = request.issued(signedIn)
            return Self.reply(
                "LoggedInSuccessfully", VoltyksTokens(origin: .login, tokens: issued.tokens), headers: issued.cookies)
        } catch {
            throw error == .accountInactive ? .invalidCredentials : error
        }
    }

    /// `POST /api/Auth/RefreshToken`: rotates the refresh token, which is sent as the bearer token; the body is not read.
    @Sendable func refresh(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let call = ClientCall(request)
        let token = try Self.refreshToken(BearerCredential(request.head))
        do throws(Refusal) {
            let tokens = try await useCases.refresh(token, asksForRights: false, call)
            return Self.reply("TokenRefreshedSuccessfully", VoltyksTokens(origin: .refresh, tokens: tokens))
        } catch {
            throw error == .accountInactive ? .refreshTokenInvalid(.inactive) : error
        }
    }

    /// Reads the token of the header, or throws if the header has none that may be a refresh token.
    private static func refreshToken(_ credential: BearerCredential) throws(Refusal) -> String {
        switch credential {
        case .missing: throw .noRefreshToken
        case .malformed: throw .refreshTokenInvalid(.malformed)
        case .token(let bytes):
            // GUIDs are the refresh tokens of the service before Latchkey, which never issues one.
            guard !isGUID(bytes) else { throw .refreshTokenInvalid(.unknown) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Whether the bytes are a GUID such as `555dce3b-198f-426d-b0be-92d234747cc3`, in upper or lower case.
    static func isGUID(_ bytes: [UInt8]) -> Bool {
        bytes.count == 36
            && bytes.indices.allSatisfy { index in
                [8, 13, 18, 23].contains(index)
                    ? bytes[index] == UInt8(ascii: "-") : ByteClass.hexValue(bytes[index]) != nil
            }
    }

    private static func reply(
        _ message: String, _ tokens: VoltyksTokens, headers: [(String, String)] = []
    ) -> Reply {
        .json(VoltyksEnvelope(message: message, data: tokens), headers: headers)
    }
}
