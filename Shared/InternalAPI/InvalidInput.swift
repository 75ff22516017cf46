/// Input that breaks the contract between our processes: 400, and nothing was changed.
package struct InvalidInput: Error, Sendable, Equatable {
    /// What is wrong, without the value.
    package let message: String
    /// The member of the request that is to blame; `nil` if several are.
    package let member: String?

    package init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }

    /// A member whose value is not valid.
    package init(member: String) { self.init("The member \(member) is not what was agreed", member: member) }
}
