/// Where Redis is.
package enum RedisLocation: Sendable {
    /// At this address.
    case server(RedisAddress)
    /// Where a majority of the Sentinels says.
    case sentinels(RedisMaster)
    /// At this address, whatever its role is: a Sentinel, or one certain node that may be a replica.
    case unchecked(RedisAddress)

    /// The address to connect to now; `nil` while no majority of the Sentinels names one.
    package var current: RedisAddress? {
        switch self {
        case .server(let address), .unchecked(let address): address
        case .sentinels(let master): master.current
        }
    }

    /// Whether a server at this address may still be used.
    func trusts(_ address: RedisAddress) -> Bool {
        guard case .sentinels(let master) = self else { return true }
        return master.current == address
    }
}

extension RedisLocation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .server(let address), .unchecked(let address): "\(address)"
        case .sentinels(let master):
            "redis+sentinel://\(master.sentinels.map { "\($0)".dropFirst("redis://".count) }.joined(separator: ","))/\(master.name)"
        }
    }
}
