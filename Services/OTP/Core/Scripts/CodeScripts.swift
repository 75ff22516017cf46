internal import Policies
internal import RedisClient

/// The scripts with the policy's numbers in them, put together once.
struct CodeScripts: Sendable {
    let request: RedisScript
    let verify: RedisScript
    let failedSend: RedisScript
    let sweep: RedisScript

    /// - Parameter run: sets `run`; a control puts something else in its place.
    init(_ policy: OTPPolicy, run: String = CallLua.run) {
        let shared = ScriptRules(policy: policy).lua + NumberStateLua.source + AuditLua.source
        let call = CallLua.source + shared + run + CallLua.functions
        request = RedisScript(call + RequestScript.source)
        verify = RedisScript(call + VerifyScript.source)
        failedSend = RedisScript(call + FailedSendScript.source)
        sweep = RedisScript(SweepScript.head + shared + SweepScript.source)
    }
}
