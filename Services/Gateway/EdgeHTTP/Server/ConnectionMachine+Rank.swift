/// The demand and the rank of a connection, which follow from its stage and the progress of its request.
extension ConnectionMachine {
    /// Whether more bytes from the client are of use now.
    ///
    /// - Parameters:
    ///   - demand: the demand of the exchange under way for pieces of its body.
    ///   - takesAnswers: whether the client accepts more of the written bytes.
    func takesInput(_ demand: @autoclosure () -> Exchange.BodyDemand, takesAnswers: Bool) -> Bool {
        switch stage {
        case .preface, .discarding, .absorbing, .lingering: return true
        case .idle: return takesAnswers
        case .exchange:
            let demand = isRequestWhole ? .none : demand()
            // One piece is read ahead, because to stop and to start reading each costs a system call.
            return demand == .wanted || (demand == .none && !hasInbound)
        case .closed: return false
        }
    }

    /// Returns the rank by which the connection loses its slot.
    func rank(_ demand: @autoclosure () -> Exchange.BodyDemand, takesAnswers: Bool) -> ConnectionRank {
        switch stage {
        case .absorbing, .lingering, .closed: .leaving
        // A client that takes no response counts as one that does not finish its request.
        case .idle: isHeadUnderWay || hasInbound || !takesAnswers ? .unfinished : .idle
        case .preface, .discarding: .unfinished
        case .exchange: isRequestWhole || hasAnswerBegun || demand() == .none ? .answering : .unfinished
        }
    }

    /// Whether only the client is waited for, to send more of a body.
    func awaitsBody(_ demand: @autoclosure () -> Exchange.BodyDemand) -> Bool {
        switch stage {
        case .discarding: true
        case .exchange: !isRequestWhole && !hasAnswerBegun && demand() == .wanted
        case .preface, .idle, .absorbing, .lingering, .closed: false
        }
    }

    /// Whether the rest of a body is read after a refusal.
    var isAbsorbing: Bool { if case .absorbing = stage { true } else { false } }

    /// Whether a message that breaks the rules can get a response. It cannot once a part of another response is written.
    var mayRefuse: Bool { !hasAnswerBegun }

    /// Whether the client waits for a response that has not begun.
    var owesAnswer: Bool {
        switch stage {
        case .idle: isHeadUnderWay
        case .exchange: !hasAnswerBegun
        case .preface, .discarding, .absorbing, .lingering, .closed: false
        }
    }
}
