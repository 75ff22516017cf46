/// A security decision of the operator's list, which a restored database must follow.
package struct OrderedDecision: Sendable, Equatable {
    /// The position of the decision in the order of all decisions of the deployment.
    package let sequence: Int64
    package let kind: String
    package let subject: [UInt8]
    package let detail: String?

    package init(sequence: Int64, kind: String, subject: [UInt8], detail: String?) {
        self.sequence = sequence
        self.kind = kind
        self.subject = subject
        self.detail = detail
    }
}
