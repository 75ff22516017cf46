import InternalAPI

/// Errors in requests to user-service, in words for the person who reads the response.
extension InvalidInput {
    static let name = InvalidInput(
        "A name has 1 to \(DisplayName.charactersMax) characters and no control characters", member: "name")
    static let address = InvalidInput("The e-mail address is not valid")
    static let change = InvalidInput(
        "A role of 1 to 64 of A-Z a-z 0-9 . _ - is needed, whether the user is active, or an "
            + "attribute that the policy declares, with a value of its type")
    static let invitation = InvalidInput(
        "An invitation needs an e-mail address, or a phone number with + and calling code, and a role of 1 to 64 of "
            + "A-Z a-z 0-9 . _ -")
    static let key = InvalidInput(
        "Neither a user's id, a whole address or phone number with + and calling code, nor a provider's name, a colon and a "
            + "subject: there is no search for parts")
    static let numberChange = InvalidInput(
        "1 to \(RenumberRequest.changesMax) changes are needed, each from a prefix to another one, both with + and digits"
    )

    static func attribute(_ name: String) -> InvalidInput {
        InvalidInput("An attribute's value is not of the type that the policy says", member: name)
    }

    static func page(_ member: String) -> InvalidInput {
        InvalidInput(
            "A page has 1 to \(UserPage.usersMax) users, and its cursor is the one that the page before ends with",
            member: member)
    }
}
