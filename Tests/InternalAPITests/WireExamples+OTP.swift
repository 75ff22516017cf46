import InternalAPI

extension WireExamples {
    /// What goes to and from the operations of `OTPOperations`.
    static func otp() throws -> [WireText] {
        [
            try WireText(
                "OTP.request", "POST", OTPContract.requestPath, from: ["gateway"],
                requests: [
                    OTPRequest(
                        phone: "+15551234567", region: nil, purpose: .signIn, address: "192.0.2.1", callID: "00ff"),
                    OTPRequest(
                        phone: "5551234567", region: "US", purpose: .signIn, channel: "sms", locale: "en-US",
                        address: "2001:db8::1", signedInPhone: "+15551234567", callID: "00ff"),
                ],
                answers: [
                    OTPRequestAnswer(.sent),
                    OTPRequestAnswer(.suppressed),
                    OTPRequestAnswer(.invalidPhone),
                    OTPRequestAnswer(.blockedCountry),
                    OTPRequestAnswer(.providerError),
                    OTPRequestAnswer(.rateLimited, retryAfterSeconds: 60),
                ],
                refusals: [(400, "invalid_request")]),
            try WireText(
                "OTP.verify", "POST", OTPContract.verifyPath, from: ["gateway"],
                requests: [
                    OTPVerify(
                        phone: "+15551234567", region: nil, code: "123456", purpose: .signIn, address: "192.0.2.1",
                        callID: "00ff"),
                    OTPVerify(
                        phone: "5551234567", region: "US", code: "123456", purpose: .signIn, address: "2001:db8::1",
                        signedInPhone: "+15551234567", callID: "00ff"),
                ],
                answers: [
                    OTPVerifyAnswer(.approved, attestation: "k1.e30.AA"),
                    OTPVerifyAnswer(.expired),
                    OTPVerifyAnswer(.unknown),
                    OTPVerifyAnswer(.wrongCode),
                    OTPVerifyAnswer(.used),
                    OTPVerifyAnswer(.invalidPhone),
                    OTPVerifyAnswer(.tooManyAttempts, retryAfterSeconds: 600),
                ],
                refusals: [(400, "invalid_request")]),
            try WireText(
                "OTP.forgetNetworks", "POST", OTPContract.forgetNetworksPath, from: ["user"],
                requests: [
                    ForgetNetworksRequest(phone: "+15551234567", until: 1_700_000_000)
                ],
                answers: [
                    Done()
                ],
                refusals: [(400, "invalid_request")]),
        ]
    }
}
