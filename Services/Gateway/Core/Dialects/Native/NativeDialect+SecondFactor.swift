import AuthAPI
import EdgeHTTP
import InternalAPI

/// The bearer's second factor, and sign-ins that need one.
extension NativeDialect {
    var secondFactorRows: [DialectRow] { ownSecondFactorRows + secondFactorSignInRows }

    private var ownSecondFactorRows: [DialectRow] {
        [
            DialectRow(.get, "/users/me/mfa", .bearer) { request, useCases throws(Refusal) in
                .json(SecondFactorReply(try await useCases.secondFactor.state(ClientCall(request))))
            }
            .documented(
                .secondFactors, "Returns the user's second factor", .json(SecondFactorReply.self),
                refusals: SecondFactorOperations.state.refusals),
            DialectRow(.patch, "/users/me/mfa", .bearer) { request, useCases throws(Refusal) in
                let body = try request.json.decode(SecondFactorRequiredBody.self)
                return .json(
                    SecondFactorReply(try await useCases.secondFactor.require(body.required, ClientCall(request))))
            }
            .documented(
                .secondFactors, "Sets whether each sign-in with one factor asks for a second one",
                takes: .json(SecondFactorRequiredBody.self), .json(SecondFactorReply.self),
                refusals: Refusal.secondFactorChange),
            DialectRow(.post, "/users/me/mfa/totp", .bearer) { request, useCases throws(Refusal) in
                let enrolment = try await useCases.secondFactor.enrol(ClientCall(request))
                return .json(TOTPReply(secret: enrolment.secret, uri: enrolment.uri))
            }
            .documented(
                .secondFactors, "Creates a secret for an authenticator app", .json(TOTPReply.self),
                refusals: Refusal.secondFactorChange),
            DialectRow(.post, "/users/me/mfa/totp/activate", .bearer) { request, useCases throws(Refusal) in
                let code = try request.json.decode(TOTPCodeBody.self).code
                let codes = try await useCases.secondFactor.activate(code, ClientCall(request))
                return .json(codes, status: codes.activeFrom == nil ? 200 : 202)
            }
            .documented(
                .secondFactors,
                "Turns one-time passwords on by the first code; 202 if they are on only from `activeFrom` on",
                takes: .json(TOTPCodeBody.self), .json(RecoveryCodesReply.self), also: 202,
                with: .json(RecoveryCodesReply.self), refusals: Refusal.secondFactorChange),
            DialectRow(.delete, "/users/me/mfa/totp", .bearer) { request, useCases throws(Refusal) in
                try await useCases.secondFactor.remove(ClientCall(request))
                return Self.noContent
            }
            .documented(
                .secondFactors, "Removes one-time passwords and recovery codes", .nothing, status: 204,
                refusals: Refusal.secondFactorChange),
            DialectRow(.post, "/users/me/mfa/recovery-codes", .bearer) { request, useCases throws(Refusal) in
                .json(try await useCases.secondFactor.newRecoveryCodes(ClientCall(request)))
            }
            .documented(
                .secondFactors, "Replaces the recovery codes", .json(RecoveryCodesReply.self),
                refusals: Refusal.secondFactorChange),
            DialectRow(.delete, "/users/me/mfa/reset", .bearer) { request, useCases throws(Refusal) in
                try await useCases.secondFactor.endReset(ClientCall(request))
                return Self.noContent
            }
            .documented(
                .secondFactors, "Ends a reset that support has begun", .nothing, status: 204,
                refusals: SecondFactorOperations.endReset.refusals),
        ]
    }

    private var secondFactorSignInRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/mfa/options", .open) { [passkeys] request, useCases throws(Refusal) in
                let body = try request.json.decode(SecondFactorOptionsBody.self)
                let options = try await useCases.signInBySecondFactor.options(body.mfaToken, ClientCall(request))
                return .json(PasskeyOptionsReply(options, appName: passkeys?.appName ?? ""))
            }
            .documented(
                .secondFactors, "Returns the options for a passkey as the second factor",
                takes: .json(SecondFactorOptionsBody.self), .json(PasskeyOptionsReply.shape),
                refusals: SecondFactorOperations.options.refusals + [.secondFactorRefused]),
            DialectRow(.post, "/auth/mfa/verify", .open, answer: verifySecondFactor)
                .documented(
                    .secondFactors, "Completes a sign-in by the second factor", takes: .json(SecondFactorBody.self),
                    .json(SignInReply.self), refusals: Refusal.signInBySecondFactor),
        ]
    }

    @Sendable private func verifySecondFactor(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        let body = try request.json.decode(SecondFactorBody.self)
        let signedIn = try await useCases.signInBySecondFactor(
            body, OpenSession.Wishes(dialect: name, deviceName: body.deviceName), ClientCall(request))
        return reply(to: request, signedIn)
    }

    private static let noContent = Reply(status: 204, headers: [("Cache-Control", "no-store")], body: [])
}
