import Policies
package import RedisClient

/// The functions of the codes, which get a dialect's numbers as their last argument.
struct CodeScripts: Sendable {
    let request: RedisFunction
    let verify: RedisFunction
    let settle: RedisFunction
    let admit: RedisFunction
    let failedSend: RedisFunction
    let charge: RedisFunction
    let forgetNetworks: RedisFunction
    let clearNumber: RedisFunction
    let unlock: RedisFunction
    let undelivered: RedisFunction
    let sweep: RedisFunction
    let review: RedisFunction
    let reviews: RedisFunction
    let reviewOpen: RedisFunction
    let readTrace: RedisFunction
    let note: RedisFunction

    /// - Parameters:
    ///   - policy: the dialect's rules.
    ///   - all: the rules of all dialects.
    ///   - isClosed: whether only invited numbers become users.
    ///   - spend: the budgets of messages; `nil` if nothing bounds their cost.
    ///   - library: the library of functions; a control test uses another one.
    init(
        _ policy: OTPPolicy, among all: [OTPPolicy] = [], spend: SpendPolicy? = nil, isClosed: Bool = false,
        library: RedisLibrary = CodeFunctions.library
    ) {
        let rules = [RedisArgument(ScriptRules(policy: policy, all: all, spend: spend, isClosed: isClosed).json)]
        request = library.function("request", constants: rules)
        verify = library.function("verify", constants: rules)
        settle = library.function("settle", constants: rules)
        admit = library.function("admit", constants: rules)
        charge = library.function("try", constants: rules)
        failedSend = library.function("failed_send", constants: rules)
        forgetNetworks = library.function("forget_networks", constants: rules)
        clearNumber = library.function("clear_number", constants: rules)
        unlock = library.function("unlock", constants: rules)
        undelivered = library.function("undelivered", constants: rules)
        sweep = library.function("sweep", constants: rules)
        review = library.function("review", constants: rules)
        reviews = library.function("reviews")
        reviewOpen = library.function("review_open", constants: rules)
        readTrace = library.function("trace_read", constants: rules)
        note = library.function("note", constants: rules)
    }
}

/// otp-service's functions in Redis. They contain no policy: its numbers are passed with each call.
///
/// Each function is a file of `Lua`. The pieces that it uses are put before it and can refer to each other by name.
package enum CodeFunctions {
    package static let library = make()
    static let bar = library.function("bar")
    /// The words of `bar` that write nothing.
    static let readBar = library.function("bar_read")
    static let trace = library.function("trace")
    static let notePace = library.function("pace")
    static let readPace = library.function("pace_read")

    /// - Parameter run: the file that sets `run`; a control test replaces it.
    static func make(run: [UInt8] = PackageResources.run_lua) -> RedisLibrary {
        let number = RedisRules.lua + PackageResources.number_lua
        let audited = number + PackageResources.audit_lua
        let call =
            audited + PackageResources.call_lua + run + PackageResources.place_lua + PackageResources.limits_lua
        let spending = call + PackageResources.spend_lua
        return RedisLibrary(
            "otp", shared: RedisRules.shared + ScriptRules.audited,
            [
                function("request", spending + PackageResources.request_lua),
                function("verify", spending + PackageResources.approve_lua + PackageResources.verify_lua),
                function("settle", spending + PackageResources.approve_lua + PackageResources.settle_lua),
                function("admit", call + PackageResources.admit_lua),
                function("try", spending + PackageResources.try_lua),
                function("failed_send", call + PackageResources.failed_send_lua),
                function(
                    "forget_networks", number + PackageResources.place_lua + PackageResources.forget_networks_lua,
                    .frees),
                function(
                    "clear_number", number + PackageResources.place_lua + PackageResources.clear_number_lua, .frees),
                function("unlock", audited + PackageResources.place_lua + PackageResources.unlock_lua),
                function("undelivered", number + PackageResources.place_lua + PackageResources.undelivered_lua),
                function("sweep", audited + PackageResources.sweep_lua, .frees),
                function("review", audited + run + PackageResources.place_lua + PackageResources.review_lua),
                function("reviews", run + PackageResources.reviews_lua, .reads),
                function(
                    "review_open", number + run + PackageResources.place_lua + PackageResources.review_open_lua, .reads),
                function("trace_read", audited + PackageResources.trace_read_lua),
                function("note", audited + PackageResources.note_lua),
                function("trace", PackageResources.trace_lua), function("bar", PackageResources.bar_lua),
                function("bar_read", PackageResources.bar_lua, .reads),
                function("pace", PackageResources.pace_lua),
                function("pace_read", PackageResources.pace_read_lua, .reads),
            ])
    }

    /// Makes a function without comment lines, because the pieces are in many functions, and Redis keeps all of their text.
    private static func function(
        _ name: String, _ source: [UInt8], _ kind: RedisLibrary.Function.Kind = .writes
    ) -> RedisLibrary.Function {
        let lines = source.split(separator: UInt8(ascii: "\n")).filter { line in
            !line.drop { $0 == UInt8(ascii: " ") }.starts(with: "--".utf8)
        }
        return RedisLibrary.Function(
            name, lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"), kind)
    }
}
