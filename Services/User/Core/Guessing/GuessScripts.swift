import InternalAPI
import Policies
import RedisClient

/// The scripts that count guesses, with the policy's numbers in them.
///
/// Each is a file of `Lua` behind `account.lua`, whose names it sees, for a script in Redis cannot import another one.
struct GuessScripts: Sendable {
    /// How long, in days, a network is known from which its owner signed in.
    static let knownDays = 90
    /// Networks that an account is known at; the one used longest ago makes room.
    static let knownMax = 8

    let admit: RedisScript
    let giveBack: RedisScript
    let clear: RedisScript
    let mail: RedisScript
    let wrong: RedisScript
    let flush: RedisScript

    init(_ attempts: PasswordAttempts) {
        let rules = Array(Self.rules(attempts).utf8)
        let common = rules + PackageResources.account_lua
        let audited = common + PackageResources.audit_lua
        admit = Self.script(audited + PackageResources.admit_lua)
        wrong = Self.script(audited + PackageResources.wrong_lua)
        flush = Self.script(rules + PackageResources.flush_lua + PackageResources.audit_lua)
        giveBack = Self.script(common + PackageResources.give_back_lua)
        clear = Self.script(common + PackageResources.clear_lua)
        mail = Self.script(common + PackageResources.mail_lua)
    }

    private static func rules(_ attempts: PasswordAttempts) -> String {
        let (own, account) = (attempts.perAccountAndNetwork, attempts.perAccount)
        // For as long as anything can count that was guessed before a reset.
        let cleared = own.windowSeconds + PasswordAttempts.waitSecondsMax
        return """
            local rules = {
              ownMax = \(own.max), ownSeconds = \(own.windowSeconds),
              waitFirst = \(PasswordAttempts.waitSeconds), waitMax = \(PasswordAttempts.waitSecondsMax),
              accountMax = \(account.max), accountSeconds = \(account.windowSeconds),
              knownDays = \(knownDays), knownMax = \(knownMax), clearedSeconds = \(cleared),
              audit = {
                entriesMax = \(OTPAuditStream.entriesMax), wrong = '\(AuditEntry.Event.passwordWrong.rawValue)',
                locked = '\(AuditEntry.Event.passwordLocked.rawValue)',
                refused = '\(AuditEntry.Event.passwordRefused.rawValue)',
                fields = {
                  time = '\(OTPAuditStream.Field.time)', event = '\(OTPAuditStream.Field.event)',
                  subject = '\(OTPAuditStream.Field.subject)', detail = '\(OTPAuditStream.Field.detail)',
                },
              },
            }


            """
    }

    private static func script(_ source: [UInt8]) -> RedisScript {
        RedisScript(String(decoding: source, as: UTF8.self))
    }
}
