import EdgeHTTP
import InternalAPI

/// Signing in and going on.
extension VoltyksDialect {
    /// `POST /api/Auth/Login`: whether an account is inactive is for nobody to know here.
    @Sendable func logIn(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        do throws(Refusal) {
            let signedIn = try await request.signInByPassword(in: name, useCases)
            return Self.reply("LoggedInSuccessfully", VoltyksTokens(origin: .login, tokens: signedIn.tokens))
        } catch {
            throw error == .accountInactive ? .invalidCredentials : error
        }
    }

    /// `POST /api/Auth/RefreshToken`: rotates the refresh token that comes as bearer; the body says nothing.
    @Sendable func refresh(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let call = ClientCall(request)
        let token = try Self.refreshToken(call.credential)
        do throws(Refusal) {
            let tokens = try await useCases.refresh(token, asksForRights: false, call)
            return Self.reply("TokenRefreshedSuccessfully", VoltyksTokens(origin: .refresh, tokens: tokens))
        } catch {
            throw error == .accountInactive ? .refreshTokenInvalid(.inactive) : error
        }
    }

    /// The token of the header, as far as it is a token at all.
    private static func refreshToken(_ credential: BearerCredential) throws(Refusal) -> String {
        switch credential {
        case .missing: throw .noRefreshToken
        case .malformed: throw .refreshTokenInvalid(.malformed)
        case .token(let bytes):
            // Those of before: the document's, and never one of ours.
            guard !isGUID(bytes) else { throw .refreshTokenInvalid(.unknown) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// E.g. `555dce3b-198f-426d-b0be-92d234747cc3`, in large or small letters.
    static func isGUID(_ bytes: [UInt8]) -> Bool {
        bytes.count == 36
            && bytes.indices.allSatisfy { index in
                [8, 13, 18, 23].contains(index)
                    ? bytes[index] == UInt8(ascii: "-") : ByteClass.hexValue(bytes[index]) != nil
            }
    }

    private static func reply(_ message: String, _ tokens: VoltyksTokens) -> Reply {
        .json(VoltyksEnvelope(message: message, data: tokens))
    }
}
