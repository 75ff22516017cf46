package import RedisClient
package import ServiceLifecycle

/// The services that watch a process's Redis, and what they report in `/readyz`.
package struct RedisUpkeep {
    package let services: [any Service]
    /// The state of the nodes among which Sentinels choose the master.
    package let readiness: ReadinessCheck

    package init(_ redis: RedisClient, _ context: ProcessContext) {
        let nodes = RedisNodeWatch(redis: redis, logger: context.logger)
        let certificates: [any Service] =
            redis.tls.map { tls in
                [
                    CertificateUpkeep(
                        logger: context.logger, of: "redis.tls", ends: { tls.ends }, reload: { try tls.reload() })
                ]
            } ?? []
        let eviction = RedisEviction(redis: redis, in: context.settings.environment, logger: context.logger)
        services = [eviction] + (redis.hasSentinels ? [nodes] : []) + certificates
        readiness = ReadinessCheck("redis nodes", isCaution: true, problem: { nodes.problem })
    }
}
