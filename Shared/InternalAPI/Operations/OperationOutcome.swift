/// The outcome of a call, as the service returns it and the caller receives it.
package enum OperationOutcome<Answer: Sendable, Refusal: InternalRefusal>: Sendable {
    case answer(Answer)
    /// The title is for people to read, e.g. the operator at latchkeyctl.
    case refused(Refusal, title: String)
}

extension OperationOutcome {
    /// A refusal with the sentence of its code.
    package static func refused(_ refusal: Refusal) -> Self { .refused(refusal, title: refusal.code.title) }
}

extension OperationOutcome: Equatable where Answer: Equatable {}

extension OperationOutcome where Refusal == NoRefusal {
    /// The answer of an operation that refuses nothing.
    package var answer: Answer {
        switch self {
        case .answer(let answer): answer
        }
    }
}
