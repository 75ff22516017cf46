import InternalAPI
import Policies
package import RedisClient

/// The Redis functions that count guesses, with the policy's numbers as their last argument.
struct GuessScripts: Sendable {
    /// How many days a network stays known after its user signed in from it.
    static let knownDays = 90
    /// The most networks that an account is known at. A further one replaces the one that was used longest ago.
    static let knownMax = 8

    let admit: RedisFunction
    let giveBack: RedisFunction
    let clear: RedisFunction
    let mail: RedisFunction
    let forgetMail: RedisFunction
    let wrong: RedisFunction
    let flush: RedisFunction

    init(_ attempts: PasswordAttempts) {
        let rules = [RedisArgument(Self.rules(attempts))]
        func function(_ name: String) -> RedisFunction { GuessFunctions.library.function(name, constants: rules) }
        admit = function("admit")
        giveBack = function("give_back")
        clear = function("clear")
        mail = function("mail")
        forgetMail = function("forget_mail")
        wrong = function("wrong")
        flush = function("flush")
    }

    /// The policy's numbers as JSON, which `rulesOf` reads.
    private static func rules(_ attempts: PasswordAttempts) -> String {
        let (own, account) = (attempts.perAccountAndNetwork, attempts.perAccount)
        // The time for which a guess from before a reset could count.
        let cleared = own.windowSeconds + PasswordAttempts.waitSecondsMax
        return """
            {"ownMax":\(own.max),"ownSeconds":\(own.windowSeconds),\
            "waitFirst":\(PasswordAttempts.waitSeconds),"waitMax":\(PasswordAttempts.waitSecondsMax),\
            "accountMax":\(account.max),"accountSeconds":\(account.windowSeconds),\
            "knownDays":\(knownDays),"knownMax":\(knownMax),"clearedSeconds":\(cleared),\
            "audit":{"entriesMax":\(OTPAuditStream.entriesMax),"wrong":"\(AuditEntry.Event.passwordWrong.rawValue)",\
            "locked":"\(AuditEntry.Event.passwordLocked.rawValue)",\
            "refused":"\(AuditEntry.Event.passwordRefused.rawValue)",\
            "fields":{"time":"\(OTPAuditStream.Field.time)","event":"\(OTPAuditStream.Field.event)",\
            "subject":"\(OTPAuditStream.Field.subject)","detail":"\(OTPAuditStream.Field.detail)"}}}
            """
    }
}

/// user-service's functions in Redis. They contain no policy, since its numbers come with each call.
///
/// Each function is a file of `Lua`, preceded by the files whose names it uses.
package enum GuessFunctions {
    package static let library: RedisLibrary = {
        func function(
            _ name: String, _ sources: [UInt8]..., kind: RedisLibrary.Function.Kind = .writes
        )
            -> RedisLibrary.Function
        {
            RedisLibrary.Function(name, String(decoding: RedisRules.lua + sources.joined(), as: UTF8.self), kind)
        }
        let (account, audit) = (PackageResources.account_lua, PackageResources.audit_lua)
        return RedisLibrary(
            "user", shared: RedisRules.shared,
            [
                function("admit", account, audit, PackageResources.admit_lua),
                function("wrong", account, audit, PackageResources.wrong_lua),
                function("flush", PackageResources.flush_lua, audit),
                function("give_back", account, PackageResources.give_back_lua, kind: .frees),
                function("clear", account, PackageResources.clear_lua),
                function("mail", account, PackageResources.mail_lua),
                function("forget_mail", PackageResources.forget_mail_lua, kind: .frees),
                // The others have no rules of the policy.
                .init("count_proof", String(decoding: PackageResources.count_proof_lua, as: UTF8.self)),
                .init("count_export", String(decoding: PackageResources.count_export_lua, as: UTF8.self)),
                .init("forget_export", String(decoding: PackageResources.forget_export_lua, as: UTF8.self), .frees),
                .init("forget_proof", String(decoding: PackageResources.forget_proof_lua, as: UTF8.self), .frees),
                .init("use_state", String(decoding: PackageResources.use_state_lua, as: UTF8.self)),
                .init("try_code", String(decoding: PackageResources.try_code_lua, as: UTF8.self)),
            ])
    }()
}
