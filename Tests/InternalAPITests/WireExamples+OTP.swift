import InternalAPI

extension WireExamples {
    /// Requests and responses of `OTPOperations`.
    static func otp() throws -> [WireText] {
        [
            try WireText(
                "OTP.request", OTPOperations.request,
                requests: [
                    OTPRequest(
                        phone: "+15551234567", region: nil, purpose: .signIn, address: "192.0.2.1", callID: "00ff"),
                    OTPRequest(
                        phone: "5551234567", region: "US", purpose: .signIn, channel: "sms", locale: "en-US",
                        address: "2001:db8::1", signedInPhone: "+15551234567", callID: "00ff"),
                    OTPRequest(
                        phone: "9876543210", region: nil, purpose: .signIn, dialect: "aarokya", address: "192.0.2.1",
                        callID: "00ff"),
                ],
                answers: [
                    OTPRequestAnswer(.sent),
                    OTPRequestAnswer(.suppressed),
                    OTPRequestAnswer(.invalidPhone),
                    OTPRequestAnswer(.blockedCountry),
                    OTPRequestAnswer(.providerError),
                    OTPRequestAnswer(.rateLimited, limit: .sends, retryAfterSeconds: 60),
                    OTPRequestAnswer(.unsupportedChannel),
                ]),
            try WireText(
                "OTP.verify", OTPOperations.verify,
                requests: [
                    OTPVerify(
                        phone: "+15551234567", region: nil, code: "123456", purpose: .signIn, address: "192.0.2.1",
                        callID: "00ff"),
                    OTPVerify(
                        phone: "5551234567", region: "US", code: "123456", purpose: .signIn, address: "2001:db8::1",
                        signedInPhone: "+15551234567", callID: "00ff"),
                    OTPVerify(
                        phone: "9876543210", region: nil, code: "123456", purpose: .signIn, dialect: "aarokya",
                        address: "192.0.2.1", callID: "00ff"),
                ],
                answers: [
                    OTPVerifyAnswer(.approved, attestation: "k1.e30.AA"),
                    OTPVerifyAnswer(.expired),
                    OTPVerifyAnswer(.unknown),
                    OTPVerifyAnswer(.wrongCode),
                    OTPVerifyAnswer(.used),
                    OTPVerifyAnswer(.invalidPhone),
                    OTPVerifyAnswer(.tooManyAttempts, limit: .lockout, retryAfterSeconds: 600),
                ]),
            try WireText(
                "OTP.requestMail", OTPOperations.requestMail,
                requests: [
                    MailRequest(
                        email: "ann@example.com", challenge: nil, purpose: .signIn, locales: [], address: "192.0.2.1",
                        callID: "00ff"),
                    MailRequest(
                        email: "Ann@Example.com", challenge: "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
                        purpose: .signIn, locales: ["de-AT", "en"], address: "2001:db8::1", callID: "00ff"),
                ],
                answers: [
                    OTPRequestAnswer(.sent), OTPRequestAnswer(.invalidEmail), OTPRequestAnswer(.off),
                    OTPRequestAnswer(.rateLimited, limit: .requests, retryAfterSeconds: 60),
                    OTPRequestAnswer(.undeliverable),
                ]),
            try WireText(
                "OTP.verifyMail", OTPOperations.verifyMail,
                requests: [
                    MailVerify(
                        email: "ann@example.com", code: "123456", purpose: .signIn, address: "192.0.2.1", callID: "00ff"
                    ),
                    MailVerify(
                        token: "AA", verifier: "v", purpose: .signIn, address: "192.0.2.1", callID: "00ff"),
                ],
                answers: [
                    OTPVerifyAnswer(.approved, attestation: "k1.e30.AA"), OTPVerifyAnswer(.wrongCode),
                    OTPVerifyAnswer(.invalidEmail), OTPVerifyAnswer(.off),
                ]),
            try WireText(
                "OTP.resendWebhook", OTPOperations.resendWebhook,
                requests: [
                    MailWebhook(id: "msg_1", timestamp: "1700000000", signature: "v1,AA==", body: #"{"type":"x"}"#)
                ],
                answers: [MailWebhookAnswer(.noted), MailWebhookAnswer(.forged), MailWebhookAnswer(.off)]),
            try WireText(
                "OTP.twilioCallback", OTPOperations.twilioCallback,
                requests: [
                    TwilioCallback(body: "MessageSid=SM1", query: nil, signature: "AA=="),
                    TwilioCallback(body: "MessageSid=SM1", query: "a=1", signature: "AA=="),
                ],
                answers: [
                    TwilioCallbackAnswer(.noted), TwilioCallbackAnswer(.forged), TwilioCallbackAnswer(.malformed),
                    TwilioCallbackAnswer(.off),
                ]),
            try WireText(
                "OTP.sendNotice", OTPOperations.sendNotice,
                requests: [
                    MailNotice(
                        id: "0f8fad5b-d9cb-469f-a165-70867728950e", to: "ann@example.com", kind: .accountDeletion,
                        at: 1_700_000_000)
                ]
                    + [
                        MailNotice.Kind.confirmRegistration, .confirmRegistrationByLink, .addressKnown, .passwordReset,
                        .passwordChanged,
                        .invitation,
                    ]
                    .map { kind in
                        MailNotice(
                            id: "0f8fad5b-d9cb-469f-a165-70867728950e", to: "ann@example.com", kind: kind,
                            at: 1_700_000_000, token: "AA", locales: ["de-AT", "en"])
                    },
                answers: [Done()]),
            try WireText(
                "OTP.sendTest", OTPOperations.sendTest,
                requests: [
                    TestMessageRequest(to: "ann@example.com"), TestMessageRequest(to: "+15551234567", channel: "sms"),
                ],
                answers: [
                    TestMailAnswer(id: "49a3999c", provider: "resend"),
                    TestMailAnswer(provider: "smtp", failure: "untrusted_certificate"), TestMailAnswer(),
                ]),
            try WireText(
                "OTP.clearAddress", OTPOperations.clearAddress, requests: [MailAddressRequest(to: "ann@example.com")],
                answers: [ClearedAddress(wasBarred: true), ClearedAddress(wasBarred: false)]),
            try WireText(
                "OTP.mailStanding", OTPOperations.mailStanding, requests: [MailAddressRequest(to: "ann@example.com")],
                answers: [
                    MailStanding(),
                    MailStanding(
                        block: .undeliverable, blockedUntil: 1_700_000_000, swallowed: 2, lastKind: "password_reset",
                        lastAt: 1_699_990_000),
                    MailStanding(block: .complained, blockedUntil: 1_700_000_000),
                ]),
            try WireText(
                "OTP.forgetNetworks", OTPOperations.forgetNetworks,
                requests: [
                    ForgetNetworksRequest(phone: "+15551234567", until: 1_700_000_000),
                    ForgetNetworksRequest(email: "ann@example.com", until: 1_700_000_000),
                    ForgetNetworksRequest(email: "ann@example.com", until: 0, codesUntil: 1_700_000_000),
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "OTP.admitNumber", OTPOperations.admitNumber,
                requests: [
                    ProvedNumber(phone: "+15551234567", address: "192.0.2.1", callID: "00ff"),
                    ProvedNumber(
                        phone: "+15551234567", address: "2001:db8::1", signedInPhone: "+15551234567", callID: "00ff"),
                ],
                answers: [ProvedNumberAnswer(), ProvedNumberAnswer(limit: .lockout, retryAfterSeconds: 600)]),
        ]
    }
}
