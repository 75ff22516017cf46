import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service when users turn one-time passwords on and use second factors.
    static let secondFactorOperations = [
        DurableOperation(name: "totp-activated", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let secret = try await account.enrolling(at: twin.service)
            // The next step's code stays valid for a minute at least, longer than a restart takes.
            let step = AuthenticatorApp.step + 1
            var act = account.act(
                [
                    "user totp": 1, "user totp step": Int(step), "user recovery codes": 10, "user decisions": 1,
                    "user links": 1, "user mfa.enabled": 1,
                ], SecondFactorOperations.activate.path,
                SecondFactorChange(code: AuthenticatorApp.code(secret, at: step)))
            // A repeat learns that it is on. The codes were shown once.
            act.gain = { _ in "" }
            act.aftermath = { service in
                let again = ReauthenticateRequest(
                    totp: AuthenticatorApp.code(secret, at: step), address: "127.0.0.1", callID: CallID.random())
                return try await account.findings(refusing: again, at: service)
            }
            return act
        },
        DurableOperation(name: "totp-used", process: "user") { stack, twin in
            let owner = try await SecondFactorOwner(stack, twin)
            let code = AuthenticatorApp.code(owner.secret, at: owner.step + 1)
            return owner.using(["user totp step": 1]) {
                ReauthenticateRequest(totp: code, address: "127.0.0.1", callID: $0)
            }
        },
        DurableOperation(name: "recovery-code-used", process: "user") { stack, twin in
            let owner = try await SecondFactorOwner(stack, twin)
            let code = owner.recoveryCodes[0]
            return owner.using([
                "user used codes": 1, "user decisions": 1, "user links": 1, "user mfa.recovery_used": 1,
            ]) { ReauthenticateRequest(recoveryCode: code, address: "127.0.0.1", callID: $0) }
        },
    ]
}

/// A user with one-time passwords and recovery codes.
private struct SecondFactorOwner: Sendable {
    let account: Account
    let secret: String
    /// The step of the code that was used last.
    let step: Int64
    let recoveryCodes: [String]

    init(_ stack: LatchkeyStack, _ twin: ProcessTwin.Running) async throws {
        account = try await Account(stack, twin)
        secret = try await account.enrolling(at: twin.service)
        step = AuthenticatorApp.step
        let change = SecondFactorChange(code: AuthenticatorApp.code(secret, at: step))
        let answer = try await account.post(SecondFactorOperations.activate.path, change, to: twin.service)
        guard let codes = try answer.decoded(SecondFactorAnswer.self).recoveryCodes, !codes.isEmpty else {
            throw UnexpectedAnswer(to: SecondFactorOperations.activate.path, answer)
        }
        recoveryCodes = codes
    }

    /// A step-up by a code, which serves one call.
    ///
    /// - Parameter request: makes the request of a call.
    func using(
        _ changes: [String: Int], _ request: @escaping @Sendable (_ callID: String) -> ReauthenticateRequest
    ) -> InterruptedAct {
        var act = account.act(
            changes.merging(["user answers": 1]) { $1 }, UserOperations.reauthenticate.path, request(CallID.random()))
        act.gain = { "\(try $0.decoded(ReauthenticateAnswer.self).result)" }
        act.aftermath = { [account] in try await account.findings(refusing: request(CallID.random()), at: $0) }
        return act
    }
}

extension Account {
    /// A new secret, which waits for its first code.
    fileprivate func enrolling(at service: TestHTTPClient) async throws -> String {
        let answer = try await post(SecondFactorOperations.enrol.path, SecondFactorChange(), to: service)
        guard let enrolment = try answer.decoded(SecondFactorAnswer.self).enrolment else {
            throw UnexpectedAnswer(to: SecondFactorOperations.enrol.path, answer)
        }
        return enrolment.secret
    }

    /// Returns a finding unless a code that was used is refused.
    fileprivate func findings(
        refusing request: ReauthenticateRequest, at service: TestHTTPClient
    ) async throws -> [String] {
        let answer = try await post(UserOperations.reauthenticate.path, request, to: service)
        let result = try answer.decoded(ReauthenticateAnswer.self).result
        return result == .refused ? [] : ["a code that was used is \(result)"]
    }
}
