/// Twilio as the provider that generates the codes (integration guide 1.2.2).
extension TwilioVerifications: CodeChecker {
    package var provider: String { TwilioVerifySender.managedProvider }

    package func check(_ code: String, of number: String, within limit: Duration) async -> CodeCheck {
        let deadline = ContinuousClock.now + limit
        let answer = await ask(code, number, by: deadline)
        // These two were not processed: no guess was counted.
        guard case .again(let seconds, let failure) = TwilioErrors.verdict(answer), answer.accepted == nil else {
            return Self.check(answer)
        }
        guard await Self.wait(seconds, before: deadline) else { return .unknown(failure) }
        return Self.check(await ask(code, number, by: deadline))
    }

    private func ask(
        _ code: String, _ number: String, by deadline: ContinuousClock.Instant
    ) async -> TwilioResult {
        await client.post(path + "/VerificationCheck", [("To", number), ("Code", code)], within: deadline - .now)
    }

    /// Only the status counts; `valid` is an older name for the same.
    private static func check(_ result: TwilioResult) -> CodeCheck {
        guard let answer = result.accepted else { return refusal(result) }
        return switch answer.body?.status {
        case "approved": .right
        case "pending": .wrong
        case "max_attempts_reached": .usedUp
        case "canceled", "deleted", "expired", "failed": .gone
        default: .unknown(.badAnswer)
        }
    }

    private static func refusal(_ result: TwilioResult) -> CodeCheck {
        switch result.code {
        case 60_202: return .usedUp
        // Approved, expired, canceled, or too many guesses.
        case 20_404: return .gone
        default: break
        }
        switch TwilioErrors.verdict(result) {
        case .failed(let failure), .again(_, let failure), .closeFirst(let failure): return .unknown(failure)
        case .taken: return .unknown(.badAnswer)
        }
    }
}
