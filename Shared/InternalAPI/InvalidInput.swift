/// Input that breaks the contract between our processes: answered with 400, and nothing was changed.
package struct InvalidInput: Error, Sendable, Equatable {
    /// The description of the problem, without the value.
    package let message: String
    /// The invalid member of the request; `nil` if several are invalid.
    package let member: String?

    package init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }

    /// A member whose value is not valid.
    package init(member: String) { self.init("The member \(member) is missing or invalid", member: member) }
}
