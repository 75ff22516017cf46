import Delivery

/// A channel with a sender that can do it: one try of a message at most.
struct Way: Sendable {
    let channel: String
    let sender: any MessageSender
    /// Nil for mail, where there is no other way.
    let circuit: Circuit?
}
