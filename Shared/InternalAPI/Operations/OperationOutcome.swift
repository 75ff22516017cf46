/// What a call came to, on both sides.
package enum OperationOutcome<Answer: Sendable, Refusal: InternalRefusal>: Sendable {
    case answer(Answer)
    /// The title is what a person reads, e.g. the operator at latchkeyctl.
    case refused(Refusal, title: String)
}

extension OperationOutcome where Refusal == NoRefusal {
    /// The answer of an operation that refuses nothing.
    package var answer: Answer {
        switch self {
        case .answer(let answer): answer
        }
    }
}
