import InternalAPI

/// Sends a one-time code to a phone.
struct RequestCode: Sendable {
    /// A request for a code.
    struct Order: Sendable {
        /// The dialect whose rules apply to the code, and the only one in which the code is valid.
        var dialect: String
        /// The phone number as the client wrote it.
        var phone: String
        /// The region of a national number.
        var region: String?
        var channel: String?
        var locale: String?
        var appHash: String?
        var purpose = Purpose.signIn
        /// The user of a bound code; `nil` for other purposes.
        var userID: String?
        /// Whether nothing is sent to a person who is not a user, in an open app too.
        var usersOnly = false
    }

    let otp: ServiceClient
    /// The service that knows who is a user or invited; `nil` if everybody may become a user, and no check is needed.
    let guestList: ServiceClient?
    /// The service that knows who is a user.
    let users: ServiceClient
    let signedInUser: SignedInUser

    /// Returns once the code is on its way, or is left out on purpose, which the client cannot distinguish.
    func callAsFunction(_ order: Order, _ call: ClientCall) async throws(Refusal) {
        let user = signedInUser(call.credential)
        let callID = try call.id(OTPOperations.request.path, user: user?.userID)
        let request = OTPRequest(
            phone: order.phone, region: order.region, purpose: order.purpose,
            userID: order.userID, dialect: order.dialect, channel: order.channel, locale: order.locale,
            address: call.address, signedInPhone: user?.phone,
            callID: callID, isUnwelcome: try await isWelcome(order, call) ? nil : true, appHash: order.appHash)
        try await otp.settle(OTPOperations.request, request, for: call)
    }

    /// Whether the phone number may get a code. In a closed app no message is paid for unless it goes to a user or an invited
    /// person.
    private func isWelcome(_ order: Order, _ call: ClientCall) async throws(Refusal) -> Bool {
        // A signed-in user is a user already.
        guard let guestList = order.usersOnly ? users : guestList, !order.purpose.isBound else { return true }
        let request = WelcomeRequest(
            phone: order.phone, region: order.region, dialect: order.dialect, usersOnly: order.usersOnly ? true : nil)
        return try await guestList.answer(AccountOperations.welcome, request, for: call).isWelcome
    }
}
