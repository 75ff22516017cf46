import Logging
import NIOPosix

/// One server of the master's group, as the account of this process finds it.
package struct RedisNode: Sendable {
    /// The settings that have to be alike on all nodes.
    package struct Memory: Sendable, Equatable {
        /// In bytes; 0 if there is no limit.
        package let max: Int64
        /// `maxmemory-policy`.
        package let policy: String

        package init(max: Int64, policy: String) { (self.max, self.policy) = (max, policy) }

        /// Reads `INFO memory`.
        init?(info: String) {
            var values: [Substring: Substring] = [:]
            for line in info.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { values[parts[0]] = parts[1] }
            }
            guard let max = values["maxmemory"].flatMap({ Int64($0) }), let policy = values["maxmemory_policy"] else {
                return nil
            }
            self.init(max: max, policy: String(policy))
        }
    }

    package let address: RedisAddress
    /// The reply after the account had signed in.
    package let memory: Result<Memory, RedisError>

    package init(address: RedisAddress, memory: Result<Memory, RedisError>) {
        (self.address, self.memory) = (address, memory)
    }

    private static let timeLimit: Duration = .seconds(1)

    /// Signs in at all servers at once.
    static func all(
        _ addresses: [RedisAddress], _ configuration: RedisConfiguration, _ logger: Logger
    ) async
        -> [RedisNode]
    {
        await withTaskGroup(of: RedisNode.self) { group in
            for address in addresses {
                group.addTask {
                    do throws(RedisError) {
                        return RedisNode(
                            address: address, memory: .success(try await memory(of: address, configuration, logger)))
                    } catch { return RedisNode(address: address, memory: .failure(error)) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { "\($0.address)" < "\($1.address)" }
        }
    }

    private static func memory(
        of address: RedisAddress, _ configuration: RedisConfiguration, _ logger: Logger
    ) async throws(RedisError) -> Memory {
        var configuration = configuration
        configuration.location = .unchecked(address)
        let connection = try await RedisDedicatedConnection.open(
            configuration, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let replies: [RedisReply]
        do throws(RedisError) {
            replies = try await connection.pipeline([["INFO", "memory"]], timeout: timeLimit)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        guard let text = try replies.first?.get().text, let memory = Memory(info: text) else {
            throw RedisError(.protocolViolation, "INFO has no maxmemory")
        }
        return memory
    }
}

extension RedisMaster {
    /// Returns the master and its replicas, also those that are away, as the first Sentinel says that answers.
    func servers(_ logger: Logger) async throws(RedisError) -> [RedisAddress] {
        var failure = RedisError.noMaster
        for sentinel in sentinels {
            do throws(RedisError) { return try await servers(of: sentinel, logger) } catch { failure = error }
        }
        throw failure
    }

    private func servers(of sentinel: RedisConfiguration, _ logger: Logger) async throws(RedisError) -> [RedisAddress] {
        let connection = try await RedisDedicatedConnection.open(
            sentinel, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let name = RedisArgument(name)
        let replies: [RedisReply]
        do throws(RedisError) {
            replies = try await connection.pipeline(
                [["SENTINEL", "GET-MASTER-ADDR-BY-NAME", name], ["SENTINEL", "REPLICAS", name]],
                timeout: Self.answerTime)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        guard replies.count == 2, let master = SentinelReply.master(try replies[0].get()) else {
            throw RedisError.noMaster
        }
        return [master] + SentinelReply.replicas(try replies[1].get())
    }
}
