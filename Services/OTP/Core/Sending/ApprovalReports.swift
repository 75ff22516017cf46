import Delivery
import Logging
import ServiceLifecycle
import Synchronization

/// Reports to Twilio Verify which of our codes were right. Twilio does not see them checked, and considers a Service whose codes
/// are never used as being under attack (integration guide 1.2.3).
///
/// It runs after the response and has no effect on it. A report that fails is dropped.
final class ApprovalReports: Service {
    static let queueMax = 1_024
    private static let atOnce = 8
    private static let limit: Duration = .seconds(3)

    private let close: @Sendable (String) async throws(DeliveryFailure) -> Void
    private let pauses: [Duration]
    private let logger: Logger
    private let numbers: AsyncStream<String>
    private let queue: AsyncStream<String>.Continuation

    /// - Parameters:
    ///   - close: marks the verification of a phone number as approved.
    ///   - pauses: the pauses between the three tries.
    init(
        logger: Logger, pauses: [Duration] = [.seconds(1), .seconds(5)],
        close: @escaping @Sendable (String) async throws(DeliveryFailure) -> Void
    ) {
        self.logger = logger
        self.pauses = pauses
        self.close = close
        (numbers, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.queueMax))
    }

    convenience init(_ verifications: TwilioVerifications, logger: Logger) {
        self.init(logger: logger) { number throws(DeliveryFailure) in
            try await verifications.close(number, as: "approved", within: Self.limit)
        }
    }

    /// - Parameter number: the phone number in E.164 whose holder has presented the right code.
    func note(_ number: String) {
        if case .dropped = queue.yield(number) { logger.warning("otp.approval.dropped", metadata: ["cause": "full"]) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                let slots = Slots(Self.atOnce)
                for await number in numbers {
                    await slots.take()
                    group.addTask { [self] in
                        await report(number)
                        await slots.give()
                    }
                }
            }
        }
    }

    private func report(_ number: String) async {
        for pause in pauses.map(Optional.some) + [nil] {
            do throws(DeliveryFailure) { return try await close(number) } catch {
                guard let pause else {
                    return logger.warning("otp.approval.dropped", metadata: ["cause": "\(error.code)"])
                }
                do { try await Task.sleep(for: pause) } catch { return }
            }
        }
    }
}

/// Limits the number of tasks that run at once.
private actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
