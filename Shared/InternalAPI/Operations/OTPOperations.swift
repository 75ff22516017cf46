/// Operations of otp-service for other processes.
///
/// user-service requests and verifies codes of users who are signed in, whose phone number and email address it knows.
package enum OTPOperations {
    package static let request = InternalOperation<OTPRequest, OTPRequestAnswer, InvalidRequestOnly>(
        .post, "/internal/otp/request", from: [.gateway, .user], timeLimit: TimeLimit.ofCodeRequests)
    package static let verify = InternalOperation<OTPVerify, OTPVerifyAnswer, InvalidRequestOnly>(
        .post, "/internal/otp/verify", from: [.gateway, .user])
    package static let requestMail = InternalOperation<MailRequest, OTPRequestAnswer, InvalidRequestOnly>(
        .post, "/internal/otp/mail/request", from: [.gateway, .user], timeLimit: TimeLimit.ofCodeRequests)
    package static let verifyMail = InternalOperation<MailVerify, OTPVerifyAnswer, InvalidRequestOnly>(
        .post, "/internal/otp/mail/verify", from: [.gateway, .user])
    package static let resendWebhook = InternalOperation<MailWebhook, MailWebhookAnswer, InvalidRequestOnly>(
        .post, "/internal/otp/mail/webhook", from: [.gateway])
    package static let twilioCallback = InternalOperation<TwilioCallback, TwilioCallbackAnswer, InvalidRequestOnly>(
        .post, "/internal/otp/twilio/callback", from: [.gateway])
    package static let sendNotice = InternalOperation<MailNotice, Done, NoticeRefusal>(
        .post, "/internal/otp/mail/notice", from: [.user], timeLimit: TimeLimit.ofCodeRequests)
    package static let mailStanding = InternalOperation<MailAddressRequest, MailStanding, InvalidRequestOnly>(
        .post, "/internal/otp/mail/standing", from: [.user])
    package static let noticeRecipients = InternalOperation<NoticeRecipients, NoticeRecipients, InvalidRequestOnly>(
        .post, "/internal/otp/notice-recipients", from: [.user])
    package static let forgetNetworks = InternalOperation<ForgetNetworksRequest, Done, InvalidRequestOnly>(
        .post, "/internal/otp/forget-networks", from: [.user])
    package static let admitNumber = InternalOperation<VerifiedNumber, VerifiedNumberAnswer, InvalidRequestOnly>(
        .post, "/internal/otp/admit-number", from: [.user])
    package static let export = InternalOperation<MessagesExportRequest, MessagesExportPart, InvalidRequestOnly>(
        .post, "/internal/otp/export", from: [.user])
    package static let confirmReview = InternalOperation<ReviewProof, ReviewStanding, InvalidRequestOnly>(
        .post, "/internal/otp/reviews/confirm", from: [.user])
}

/// Operations of otp-service for the operator.
extension OTPOperations {
    package static let sendTest = InternalOperation<TestMessageRequest, TestMailAnswer, InvalidRequestOnly>(
        .post, "/internal/control/mail/test", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let clearAddress = InternalOperation<MailAddressRequest, ClearedAddress, InvalidRequestOnly>(
        .post, "/internal/control/mail/clear", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let openReview = InternalOperation<ReviewAccessRequest, ReviewAccess, ReviewRefusal>(
        .post, "/internal/control/reviews/open", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let guardReport = InternalOperation<GuardReportRequest, GuardReport, InvalidRequestOnly>(
        .post, "/internal/control/guard-report", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let trace = InternalOperation<TraceRequest, TraceAnswer, InvalidRequestOnly>(
        .post, "/internal/control/trace", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let unlock = InternalOperation<NumberRequest, UnlockedNumber, InvalidRequestOnly>(
        .post, "/internal/control/unlock", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let endReview = InternalOperation<NumberRequest, EndedReview, InvalidRequestOnly>(
        .post, "/internal/control/reviews/end", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let openReviews = InternalOperation<ReviewListRequest, ReviewList, InvalidRequestOnly>(
        .post, "/internal/control/reviews", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
}

/// Operations of the development inbox for other processes.
package enum InboxOperations {
    package static let deliver = InternalOperation<OutgoingMessage, Done, InvalidRequestOnly>(
        .post, "/internal/messages", from: [.otp], timeLimit: TimeLimit.ofMessages)
}
