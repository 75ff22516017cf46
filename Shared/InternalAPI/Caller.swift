/// The processes that call others; the name is part of the pair key's file name `assertion_<caller>_<service>`.
package enum Caller: String, Sendable, CaseIterable {
    case gateway, otp, token, user, control
}
