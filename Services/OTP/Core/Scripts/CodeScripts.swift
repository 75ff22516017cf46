import Policies
import RedisClient

/// The scripts with a dialect's numbers in them, put together once.
///
/// Each is a file of `Lua`; before it stand the pieces that it uses, which see each other's names, for a script in Redis
/// cannot import another one.
struct CodeScripts: Sendable {
    let request: RedisScript
    let verify: RedisScript
    let settle: RedisScript
    let failedSend: RedisScript
    let charge: RedisScript
    let forgetNetworks: RedisScript
    let clearNumber: RedisScript
    let sweep: RedisScript
    let review: RedisScript
    let reviews: RedisScript
    let readTrace: RedisScript

    /// - Parameters:
    ///   - policy: the dialect's rules.
    ///   - all: those of all dialects.
    ///   - isClosed: Whether only invited numbers become users.
    ///   - run: sets `run`; a control puts something else in its place.
    ///   - spend: what messages may cost; nil: nothing bounds it.
    init(
        _ policy: OTPPolicy, among all: [OTPPolicy] = [], spend: SpendPolicy? = nil, isClosed: Bool = false,
        run: [UInt8] = PackageResources.run_lua
    ) {
        let number =
            Array(ScriptRules(policy: policy, all: all, spend: spend, isClosed: isClosed).lua.utf8)
            + PackageResources.number_lua
        let audited = number + PackageResources.audit_lua
        let call =
            audited + PackageResources.call_lua + run + PackageResources.place_lua + PackageResources.limits_lua
        let spending = call + PackageResources.spend_lua
        request = Self.script(spending + PackageResources.request_lua)
        verify = Self.script(spending + PackageResources.approve_lua + PackageResources.verify_lua)
        settle = Self.script(spending + PackageResources.approve_lua + PackageResources.settle_lua)
        charge = Self.script(spending + PackageResources.try_lua)
        failedSend = Self.script(call + PackageResources.failed_send_lua)
        forgetNetworks = Self.script(number + PackageResources.place_lua + PackageResources.forget_networks_lua)
        clearNumber = Self.script(number + PackageResources.place_lua + PackageResources.clear_number_lua)
        sweep = Self.script(audited + PackageResources.sweep_lua)
        review = Self.script(audited + run + PackageResources.place_lua + PackageResources.review_lua)
        reviews = Self.script(run + PackageResources.reviews_lua)
        readTrace = Self.script(audited + PackageResources.trace_read_lua)
    }

    private static func script(_ source: [UInt8]) -> RedisScript {
        RedisScript(String(decoding: source, as: UTF8.self))
    }
}
