package import CryptoPrimitives

/// Makes the assertions of one process to one service.
package struct AssertionSigner: Sendable {
    /// The header that carries an assertion.
    package static let header = Assertion.header

    private let caller: Caller
    private let service: String
    private let keys: KeyRing

    /// - Parameter service: short name of the process that is called, e.g. `token`.
    package init(caller: Caller, service: String, keys: KeyRing) {
        self.caller = caller
        self.service = service
        self.keys = keys
    }

    /// The header's value for one request; each try needs a fresh one.
    ///
    /// - Parameter now: Unix time in milliseconds.
    package func assertion(
        method: String, path: String, body: [UInt8], now: Int64 = UnixTime.milliseconds()
    ) -> String {
        let nonce = SecureRandom.bytes(Assertion.nonceByteCount)
        let message = Assertion.message(
            caller: caller.rawValue, service: service, time: now, nonce: nonce, method: method, path: path, body: body)
        let code = keys.signing.hmac.authenticate(message)
        return Assertion(caller: caller.rawValue, keyID: keys.signing.id, time: now, nonce: nonce, code: code).text
    }
}
