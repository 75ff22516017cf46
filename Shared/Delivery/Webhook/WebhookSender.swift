import StrictJSON

/// Sends codes through a signed HTTP hook, behind which any provider can stand (integration guide 1.5).
package struct WebhookSender: CodeSender {
    /// How often and how long a message is tried.
    package struct Patience: Sendable {
        package var triesMax = 3
        /// Between two tries, unless the receiver asks for longer.
        package var pause: Duration = .seconds(2)
        /// For all tries together.
        package var total = SendLimits.time

        package init() {}
    }

    package let provider = "webhook"
    private let url: String
    private let signature: WebhookSignature
    private let exchange: any HookExchange
    private let patience: Patience
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - url: http or https; where hooks go, set by the operator.
    ///   - now: Unix time in seconds.
    package init(
        url: String, signature: WebhookSignature, exchange: any HookExchange, patience: Patience = Patience(),
        now: @escaping @Sendable () -> Int64
    ) {
        self.url = url
        self.signature = signature
        self.exchange = exchange
        self.patience = patience
        self.now = now
    }

    package func send(_ message: CodeMessage) async throws(DeliveryFailure) -> String {
        let deadline = ContinuousClock.now + patience.total
        let body = try encoded(message)
        var failure = DeliveryFailure.timedOut
        for number in 1...max(1, patience.triesMax) {
            let verdict = await attempt(message.id, body, within: deadline - ContinuousClock.now)
            switch verdict {
            case .accepted: return message.id
            case .failed(let final): throw final
            case .retry(let afterSeconds, let reason):
                failure = reason
                let pause = max(patience.pause, .seconds(afterSeconds))
                guard number < patience.triesMax, ContinuousClock.now + pause < deadline else { throw failure }
                do { try await Task.sleep(for: pause) } catch { throw failure }
            }
        }
        throw failure
    }

    /// One try; each is signed anew under the same id, by which the receiver knows a repeat.
    private func attempt(_ id: String, _ body: [UInt8], within limit: Duration) async -> HookVerdict {
        let timestamp = now()
        let hook = SignedHook(
            id: id, timestamp: timestamp, signature: signature.header(id: id, timestamp: timestamp, body: body),
            body: body)
        do {
            return HookVerdict.judge(try await exchange.post(hook, to: url, within: limit))
        } catch {
            return .retry(afterSeconds: 0, .unreachable)
        }
    }

    private func encoded(_ message: CodeMessage) throws(DeliveryFailure) -> [UInt8] {
        do { return try StrictJSON.encode(SMSHook(message, now: now())) } catch { throw .badAnswer }
    }
}
