import Delivery
import Policies

/// The senders of a deployment in their order, and the ways by which a message can be sent.
struct SenderLine: Sendable {
    /// The greatest number of tries of one message.
    static let triesMax = 4

    /// The limit of messages that a process sends at once, over all senders. A request beyond it is told to wait.
    let load: SendLoad
    private let ways: [Way]
    private let fallback: [String]
    /// The channels that a client may request.
    let channels: Set<String>
    /// The channel of a request that states none: text messages if a client may request them, otherwise the first.
    let defaultChannel: String
    /// Whether a provider makes the codes, which then has to be asked whether one is right.
    let makesCodes: Bool

    /// - Parameters:
    ///   - senders: the senders to phones, in the order in which they are tried.
    ///   - channels: the channels that a client may request.
    ///   - fallback: the channels that are tried without a request.
    init(
        _ senders: [any MessageSender], channels: [PhoneChannel] = [.sms], fallback: [PhoneChannel] = [],
        load: SendLoad = SendLoad()
    ) {
        self.init(
            senders, channels: channels.map(\.rawValue), fallback: fallback.map(\.rawValue),
            all: PhoneChannel.allCases.map(\.rawValue), load: load, breaks: true)
    }

    /// The channel of mails.
    static let mailChannel = SignInMethod.email

    /// Creates the line of mail, in which one sender has one channel and its own limits.
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

    /// Returns the seconds until one of `ways` may be tried, or `nil` if one may be tried now.
    static func waitSeconds(of ways: [Way]) -> Int64? {
        var shortest = Int64.max
        for way in ways {
            guard let wait = way.circuit?.waitSeconds() else { return nil }
            shortest = min(shortest, wait)
        }
        return ways.isEmpty ? 60 : shortest
    }

    /// Returns the channels of `ways`, each once, with those that may be tried now first.
    static func channels(of ways: [Way]) -> [String] {
        let open = ways.filter { $0.circuit?.waitSeconds() == nil }
        return (open + ways).reduce(into: []) { channels, way in
            if !channels.contains(way.channel) { channels.append(way.channel) }
        }
    }

    /// Returns the ways, with those of `late` channels after all others.
    static func order(_ ways: [Way], after late: Set<PhoneChannel>) -> [Way] {
        let isLate = { (way: Way) in late.contains { $0.rawValue == way.channel } }
        return ways.filter { !isLate($0) } + ways.filter(isLate)
    }

    /// Returns the ways by which a message can be sent, in the order in which they are tried, each once.
    ///
    /// - Parameter channel: the requested channel.
    func ways(of channel: String, for content: SenderAbilities.Content) -> [Way] {
        let order = [channel] + fallback.filter { $0 != channel }
        let fit = order.flatMap { channel in
            ways.filter { $0.channel == channel && $0.sender.abilities.contents.contains(content) }
        }
        return Array(fit.prefix(Self.triesMax))
    }
}
