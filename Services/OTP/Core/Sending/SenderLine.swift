import Delivery
import Policies

/// The senders of a deployment in their order, and the ways that a message can go.
struct SenderLine: Sendable {
    /// Tries of one message.
    static let triesMax = 4

    /// What messages go to in a process at most, over all senders: whoever comes later hears that he is to wait.
    let load: SendLoad
    private let ways: [Way]
    private let fallback: [String]
    /// What a client may ask for.
    let channels: Set<String>
    /// Of who asks for none: texts where a client may ask for them, else the first.
    let defaultChannel: String
    /// Whether the codes are a provider's own, which is then asked whether one is right.
    let makesCodes: Bool

    /// - Parameters:
    ///   - senders: to phones, in the order in which they are tried.
    ///   - channels: what a client may ask for.
    ///   - fallback: what is tried unasked.
    init(
        _ senders: [any MessageSender], channels: [PhoneChannel] = [.sms], fallback: [PhoneChannel] = [],
        load: SendLoad = SendLoad()
    ) {
        self.init(
            senders, channels: channels.map(\.rawValue), fallback: fallback.map(\.rawValue),
            all: PhoneChannel.allCases.map(\.rawValue), load: load, breaks: true)
    }

    /// The channel of mails.
    static let mailChannel = "email"

    /// The line of mail, where one sender has one channel, and bounds itself.
    init(mail sender: any MessageSender) {
        let channel = Self.mailChannel
        self.init([sender], channels: [channel], fallback: [], all: [channel], load: SendLoad(), breaks: false)
    }

    private init(
        _ senders: [any MessageSender], channels: [String], fallback: [String], all: [String], load: SendLoad,
        breaks: Bool
    ) {
        self.load = load
        self.channels = Set(channels)
        let texts = PhoneChannel.sms.rawValue
        defaultChannel = channels.contains(texts) ? texts : channels.first ?? texts
        self.fallback = fallback
        makesCodes = senders.contains { $0.abilities.makesCodes }
        ways = all.flatMap { channel in
            senders.filter { $0.abilities.channels.contains(channel) }.map { sender in
                Way(
                    channel: channel, sender: sender,
                    circuit: breaks ? Circuit(provider: sender.provider, channel: channel) : nil)
            }
        }
    }

    /// Seconds until one of `ways` may be tried; nil: one may now.
    static func waitSeconds(of ways: [Way]) -> Int64? {
        var shortest = Int64.max
        for way in ways {
            guard let wait = way.circuit?.waitSeconds() else { return nil }
            shortest = min(shortest, wait)
        }
        return ways.isEmpty ? 60 : shortest
    }

    /// The channels of `ways`, each once: first those that may be tried now.
    static func channels(of ways: [Way]) -> [String] {
        let open = ways.filter { $0.circuit?.waitSeconds() == nil }
        return (open + ways).reduce(into: []) { channels, way in
            if !channels.contains(way.channel) { channels.append(way.channel) }
        }
    }

    /// The ways, those of `late` channels after all others.
    static func order(_ ways: [Way], after late: Set<PhoneChannel>) -> [Way] {
        let isLate = { (way: Way) in late.contains { $0.rawValue == way.channel } }
        return ways.filter { !isLate($0) } + ways.filter(isLate)
    }

    /// The ways that a message can go, in the order in which they are tried, each once.
    ///
    /// - Parameter channel: as asked for.
    func ways(of channel: String, for content: SenderAbilities.Content) -> [Way] {
        let order = [channel] + fallback.filter { $0 != channel }
        let fit = order.flatMap { channel in
            ways.filter { $0.channel == channel && $0.sender.abilities.contents.contains(content) }
        }
        return Array(fit.prefix(Self.triesMax))
    }
}
