/// What a connection waits for, and what it is worth: read off its stage, and how far its request is.
extension ConnectionMachine {
    /// Whether more bytes from the client are of use now.
    ///
    /// - Parameters:
    ///   - demand: of the exchange under way, for pieces of its body.
    ///   - takesAnswers: whether the client takes what is written.
    func takesInput(_ demand: @autoclosure () -> Exchange.BodyDemand, takesAnswers: Bool) -> Bool {
        switch stage {
        case .preface, .discarding, .absorbing, .lingering: return true
        case .idle: return takesAnswers
        case .exchange:
            let demand = isRequestWhole ? .none : demand()
            // One read ahead: to stop and to start reading costs the kernel a call each.
            return demand == .wanted || (demand == .none && !hasInbound)
        case .closed: return false
        }
    }

    /// How willingly the connection's slot is given away.
    func rank(_ demand: @autoclosure () -> Exchange.BodyDemand, takesAnswers: Bool) -> ConnectionStanding.Rank {
        switch stage {
        case .absorbing, .lingering, .closed: .leaving
        // A client that takes no response counts as one that does not finish its request.
        case .idle: isHeadUnderWay || hasInbound || !takesAnswers ? .unfinished : .resting
        case .preface, .discarding: .unfinished
        case .exchange: isRequestWhole || hasAnswerBegun || demand() == .none ? .answering : .unfinished
        }
    }

    /// Whether the client alone is waited for, to send more of a body.
    func awaitsBody(_ demand: @autoclosure () -> Exchange.BodyDemand) -> Bool {
        switch stage {
        case .discarding: true
        case .exchange: !isRequestWhole && !hasAnswerBegun && demand() == .wanted
        case .preface, .idle, .absorbing, .lingering, .closed: false
        }
    }

    /// Whether the rest of a body is read after a refusal.
    var isAbsorbing: Bool { if case .absorbing = stage { true } else { false } }

    /// Whether a message that breaks the rules can be answered: behind a part of an answer there is no place for another.
    var mayRefuse: Bool { !hasAnswerBegun }

    /// Whether somebody waits for an answer that has not begun.
    var owesAnswer: Bool {
        switch stage {
        case .idle: isHeadUnderWay
        case .exchange: !hasAnswerBegun
        case .preface, .discarding, .absorbing, .lingering, .closed: false
        }
    }
}
