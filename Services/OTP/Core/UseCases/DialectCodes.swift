/// How codes of one dialect are asked for and presented: its own rules over what all dialects count together.
struct DialectCodes: Sendable {
    let request: RequestCode
    let verify: VerifyCode
}

/// How sign-in mails are asked for, and what came by them presented.
struct MailCodes: Sendable {
    let request: RequestMail
    let verify: VerifyMail
}
