import InternalAPI

extension MailWebhookAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .noted: nil
        case .forged: .forgedWebhook
        case .off: .notFound
        }
    }
}

extension AppleNotificationAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .noted: nil
        case .forged: .forgedWebhook
        case .off: .notFound
        }
    }
}

extension TwilioCallbackAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .noted: nil
        case .forged: .forgedCallback
        case .malformed: .invalid(member: "MessageStatus")
        case .off: .notFound
        }
    }
}
