import Delivery

/// A channel with a sender that supports it: at most one try of a message.
struct Way: Sendable {
    let channel: String
    let sender: any MessageSender
    /// The circuit of the way; `nil` for mail, which has no other way.
    let circuit: Circuit?
}
