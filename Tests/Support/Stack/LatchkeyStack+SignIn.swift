package import AuthAPI
import Synchronization

/// The next phone number of this process, from a random one on, so that two tests never use the same one at once.
private let phoneNumber = Atomic<Int>(Int.random(in: 0..<10_000_000))

/// An answer that a step of a test cannot go on with.
package struct UnexpectedAnswer: Error, CustomStringConvertible {
    package let description: String

    package init(to request: String, _ answer: HTTPAnswer) {
        description = "\(request) → \(answer.status) \(answer.text)"
    }
}

extension LatchkeyStack {
    /// Returns a new phone number, since send limits are per number.
    package static func freshPhone() -> String {
        let number = phoneNumber.wrappingAdd(1, ordering: .relaxed).oldValue % 10_000_000
        return "+1555" + String(String(10_000_000 + number).dropFirst())
    }

    /// Asks for a code.
    package func requestCode(for phone: String) async throws {
        let answer = try await gateway.post(
            "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, countryCode: "US"))
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/otp/request", answer) }
    }

    /// Signs in with the code from the inbox.
    package func signIn(phone: String = freshPhone(), name: String? = nil) async throws -> SignInReply {
        try await requestCode(for: phone)
        let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await code(for: phone), name: name)
        let answer = try await gateway.post("/auth/otp/verify", encoding: body)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/otp/verify", answer) }
        return try answer.decoded()
    }
}
