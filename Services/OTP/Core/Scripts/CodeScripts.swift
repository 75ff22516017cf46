import Policies
package import RedisClient

/// The functions of the codes, which get a dialect's numbers as their last argument.
struct CodeScripts: Sendable {
    let request, verify, settle, admit, failedSend, charge: RedisFunction
    let forgetNetworks, clearNumber, unlock, undelivered, sweep: RedisFunction
    let review, reviews, reviewOpen: RedisFunction

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
    }
}

/// otp-service's functions in Redis. They contain no policy: its numbers are passed with each call.
///
/// The library has the pieces of `Lua` once. A function of a number is a change (`change` in Lua) in one shell (`shell.lua`), which
/// reads the state and the call, and writes the state.
package enum CodeFunctions {
    package static let library = make()
    static let bar = library.function("bar")
    /// The words of `bar` that write nothing.
    static let readBar = library.function("bar_read")
    static let trace = library.function("trace")
    static let readTrace = library.function("trace_read")
    static let note = library.function("note")
    static let countTextNotice = library.function("text_notice")
    static let notePace = library.function("pace")
    static let readPace = library.function("pace_read")

    /// - Parameter run: the file that sets `run`; a control test replaces it.
    static func make(run: [UInt8] = PackageResources.run_lua) -> RedisLibrary {
        RedisLibrary(
            "otp", shared: RedisRules.shared + ScriptRules.audited + pieces(run: run),
            [
                change("request", needs: "audit", "run", "client", "windows", "amounts"),
                change("verify", needs: "audit", "run", "client", "windows"),
                change("settle", needs: "audit", "run", "client"),
                change("admit", needs: "audit", "run", "client", "windows"),
                change("try", needs: "audit", "run", "client", "amounts"),
                change("failed_send", needs: "audit", "run", "client"),
                change("forget_networks", .frees), change("clear_number", .frees),
                change("unlock", needs: "audit"), change("undelivered"),
                change("review", needs: "audit", "run"), change("review_open", .reads, needs: "run"),
                .init("reviews", "return reviews(KEYS, ARGV)", .reads),
                .init("sweep", "return sweep(KEYS, ARGV)", .frees),
                .init("trace_read", text(PackageResources.trace_read_lua)),
                .init("note", text(PackageResources.note_lua)), .init("trace", text(PackageResources.trace_lua)),
                .init("bar", text(PackageResources.bar_lua)),
                .init("bar_read", text(PackageResources.bar_lua), .reads),
                .init("text_notice", text(PackageResources.text_notice_lua)),
                .init("pace", text(PackageResources.pace_lua)),
                .init("pace_read", text(PackageResources.pace_read_lua), .reads),
            ])
    }

    /// Makes a function that changes a number.
    ///
    /// - Parameter needs: what the shell reads besides the number.
    private static func change(
        _ name: String, _ kind: RedisLibrary.Function.Kind = .writes, needs: String...
    ) -> RedisLibrary.Function {
        let needs = (needs + (kind == .reads ? [] : ["writes"])).map { "\($0) = true" }.joined(separator: ", ")
        return .init(name, "return onNumber(KEYS, ARGV, change.\(name), { \(needs) })", kind)
    }

    /// Returns the pieces in such an order that each comes after those that it calls.
    private static func pieces(run: [UInt8]) -> String {
        let readRun =
            Array("local function readRun(now, mayWrite)\n".utf8) + run + Array("return run, runSeconds\nend\n".utf8)
        let pieces = [
            readRun, PackageResources.number_lua, PackageResources.call_lua, PackageResources.limits_lua,
            PackageResources.audit_lua, PackageResources.place_lua, PackageResources.spend_lua,
            PackageResources.shell_lua, PackageResources.request_lua, PackageResources.approve_lua,
            PackageResources.verify_lua, PackageResources.settle_lua, PackageResources.admit_lua,
            PackageResources.try_lua, PackageResources.channels_lua, PackageResources.failed_send_lua,
            PackageResources.undelivered_lua, PackageResources.clear_number_lua,
            PackageResources.forget_networks_lua, PackageResources.unlock_lua, PackageResources.review_lua,
            PackageResources.review_open_lua, PackageResources.reviews_lua, PackageResources.sweep_lua,
        ]
        return pieces.map(text).joined(separator: "\n")
    }

    /// Returns a file without its comment lines, because Redis keeps all of the text.
    private static func text(_ source: [UInt8]) -> String {
        let lines = source.split(separator: UInt8(ascii: "\n")).filter { line in
            !line.drop { $0 == UInt8(ascii: " ") }.starts(with: "--".utf8)
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}
