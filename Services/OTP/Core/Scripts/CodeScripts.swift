import Policies
import RedisClient

/// The scripts with a dialect's numbers in them, put together once.
struct CodeScripts: Sendable {
    let request: RedisScript
    let verify: RedisScript
    let failedSend: RedisScript
    let forgetNetworks: RedisScript
    let sweep: RedisScript

    /// - Parameters:
    ///   - policy: the dialect's rules.
    ///   - all: those of all dialects.
    ///   - run: sets `run`; a control puts something else in its place.
    init(_ policy: OTPPolicy, among all: [OTPPolicy] = [], run: String = CallLua.run) {
        let state = ScriptRules(policy: policy, all: all).lua + NumberStateLua.source
        let shared = state + AuditLua.source
        let call = CallLua.source + shared + run + CallLua.number + CallLua.functions
        request = RedisScript(call + RequestScript.source)
        verify = RedisScript(call + VerifyScript.source)
        failedSend = RedisScript(call + FailedSendScript.source)
        forgetNetworks = RedisScript(
            ForgetNetworksScript.head + state + CallLua.number + ForgetNetworksScript.source)
        sweep = RedisScript(SweepScript.head + shared + SweepScript.source)
    }
}
