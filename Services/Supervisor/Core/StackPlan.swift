import RedisClient

/// All processes of a stack with their settings, in the order in which they are started.
package struct StackPlan: Sendable, Equatable {
    package let processes: [ProcessSpec]
    package let gatewayPort: UInt16
    /// `nil` in production, which has no inbox.
    package let inboxPort: UInt16?
    package let redisPort: UInt16
    package let redisMemoryMegabytes: Int
    /// The policy as `LATCHKEY_POLICY` states it.
    package let policy: String
    /// This machine's IP address for phones in the same network; `nil` if phones cannot connect.
    package let phonesAddress: String?
    /// The port of the public socket over TLS; `nil` if there is none.
    package let tlsPort: UInt16?
    /// The file of this machine's own authority, if it issued the gateway's certificate.
    package let authority: String?
    /// The base URL of the fake providers, or `nil` without them.
    package let fakes: String?
    /// Whether the console runs.
    package var hasConsole: Bool { processes.contains { $0.name == Manifest.console.name } }

    /// Plans the stack.
    ///
    /// - Parameters:
    ///   - phonesAddress: This machine's IP address for phones in the same network; `nil` if phones cannot connect.
    ///   - gatewayPort: The port of the public socket.
    ///   - tlsPort: The port of the public socket over TLS; `nil` if there is none.
    ///   - binaries: The folder of the executables.
    ///   - redisServer: The path of `redis-server`.
    ///   - inherited: The supervisor's own environment, through which the services get provider settings.
    ///   - opsPort: Returns the operations port of a process.
    ///   - nextPort: Returns a free port, a different one at each call.
    package static func make(
        _ settings: SupervisorSettings, phonesAddress: String? = nil, gatewayPort: UInt16, tlsPort: UInt16? = nil,
        binaries: String, redisServer: String,
        inherited: [String: String], opsPort: (String) throws(StartFailure) -> UInt16,
        nextPort: () throws(StartFailure) -> UInt16
    ) throws(StartFailure) -> StackPlan {
        var draft = try Draft(settings, gatewayPort: gatewayPort, nextPort: nextPort)
        let data = DataDirectory(settings.dataDirectory)
        draft.processes.append(
            ProcessSpec(
                name: "redis", executable: redisServer, arguments: [data.redisConfiguration],
                environment: Leftovers.mark(data), servicePort: draft.redisPort, opsPort: nil,
                takesPublicSockets: false, stopPhase: .store))
        draft.processes.append(loader(binaries: binaries, draft, data))
        let sockets = tlsPort.map { tlsVariables(port: $0, settings, data) } ?? ["LISTEN_FDS": "1"]
        let common = draft.environment(inherited, settings: settings, data: data, host: phonesAddress ?? "127.0.0.1")
        if settings.environment == .development, usesPostgreSQL(inherited) {
            draft.processes.append(migration(binaries: binaries, common))
        }
        for service in draft.services {
            for (index, port) in service.ports.enumerated() {
                let environment = service.name == "gateway" ? common.merging(sockets) { _, ours in ours } : common
                let name = service.process(ofReplica: index)
                let operations = try opsPort(name)
                draft.processes.append(
                    spec(
                        service, name: name, port: port, opsPort: operations, binaries: binaries,
                        environment: environment))
            }
        }
        if let copier = copier(binaries: binaries, common, data) { draft.processes.insert(copier, at: 1) }
        return StackPlan(
            processes: draft.processes, gatewayPort: gatewayPort, inboxPort: draft.inboxPort,
            redisPort: draft.redisPort,
            redisMemoryMegabytes: settings.redisMemoryMegabytes, policy: settings.policy, phonesAddress: phonesAddress,
            tlsPort: tlsPort, authority: settings.wantsOwnAuthority ? data.tlsAuthority : nil,
            fakes: draft.services.first { $0.name == Manifest.fakes.name }?.urls)
    }

    /// The settings by which latchkeyctl finds what the processes use, one `NAME=value` a line. The gateway, which is last, has
    /// all of them.
    package var variablesForControl: String {
        [
            "LATCHKEY_ENV", "LATCHKEY_POLICY", "LATCHKEY_POLICIES_DIR", "LATCHKEY_APP_NAME", "LATCHKEY_PUBLIC_URL",
            "LATCHKEY_UPSTREAM", "LATCHKEY_TRUSTED_PROXIES", "LATCHKEY_PROXY_PROTOCOL", "LATCHKEY_TLS_DIR",
            "MAIL_SENDER",
            "OTP_SENDER", "TOKEN_DATABASE_URL", "USER_DATABASE_URL",
        ].compactMap { name in
            let value = processes.last { $0.environment[name]?.isEmpty == false }?.environment[name]
            return value.flatMap { $0.contains(where: \.isNewline) ? nil : "\(name)=\($0)\n" }
        }.joined()
    }

    /// Returns the job that loads the services' functions after each start of Redis.
    private static func loader(binaries: String, _ draft: Draft, _ data: DataDirectory) -> ProcessSpec {
        let variables = [
            "REDIS_URL": draft.redisAddress(data).description, "REDIS_USER": RedisACL.functions.name,
            "LATCHKEY_SECRETS_DIR": data.secrets,
        ]
        return ProcessSpec(
            name: RedisACL.functions.name, executable: binaries + "/latchkeyctl", arguments: ["redis", "load"],
            environment: variables.merging(Leftovers.mark(data)) { _, ours in ours }, servicePort: 0, opsPort: nil,
            takesPublicSockets: false, stopPhase: .services, life: .job(after: "redis"))
    }

    /// Returns the continuous copy, if a setting names a target. It stops after the services, so that none of them is the last one to
    /// close a database: the copy would begin again with everything.
    private static func copier(
        binaries: String, _ environment: [String: String], _ data: DataDirectory
    ) -> ProcessSpec? {
        guard environment["LATCHKEY_COPY_TO"]?.isEmpty == false else { return nil }
        return ProcessSpec(
            name: "copier", executable: binaries + "/latchkeyctl", arguments: ["copy", "--data", data.path],
            environment: environment, servicePort: 0, opsPort: nil, takesPublicSockets: false, stopPhase: .store,
            life: .beside)
    }

    /// Whether a service stores its data in PostgreSQL.
    private static func usesPostgreSQL(_ variables: [String: String]) -> Bool {
        Manifest.processes.flatMap(\.variables).contains {
            $0.hasSuffix("_DATABASE_URL") && variables[$0]?.isEmpty == false
        }
    }

    /// Returns the job that makes the schemas in PostgreSQL, for which the services wait.
    private static func migration(binaries: String, _ environment: [String: String]) -> ProcessSpec {
        ProcessSpec(
            name: "database", executable: binaries + "/latchkeyctl", arguments: ["database", "migrate"],
            environment: environment, servicePort: 0, opsPort: nil, takesPublicSockets: false, stopPhase: .services,
            life: .job(after: nil))
    }

    /// Returns the variables of the gateway's TLS.
    private static func tlsVariables(
        port: UInt16, _ settings: SupervisorSettings, _ data: DataDirectory
    ) -> [String: String] {
        [
            "LISTEN_FDS": "2", "LATCHKEY_TLS_LISTEN": "127.0.0.1:\(port)", "LATCHKEY_TLS_PORT": "\(port)",
            "LATCHKEY_TLS_DIR": settings.tlsDirectory ?? data.tlsPairs,
        ]
    }

    private static func spec(
        _ service: PlannedService, name: String, port: UInt16, opsPort: UInt16, binaries: String,
        environment: [String: String]
    ) -> ProcessSpec {
        var environment = environment
        environment["LATCHKEY_LISTEN"] = "127.0.0.1:\(port)"
        environment["LATCHKEY_OPS_LISTEN"] = "127.0.0.1:\(opsPort)"
        if service.process.redis != nil { environment["REDIS_USER"] = service.name }
        return ProcessSpec(
            name: name, executable: binaries + "/" + service.process.executable,
            arguments: [],
            environment: environment, servicePort: port, opsPort: opsPort,
            takesPublicSockets: service.name == "gateway",
            stopPhase: service.name == "gateway" ? .edge : .services)
    }
}

/// The plan while it is made.
private struct Draft {
    var processes: [ProcessSpec] = []
    let services: [PlannedService]
    let inboxPort: UInt16?
    let redisPort: UInt16
    /// The port of the fake mail server; `nil` without fakes.
    let fakeMailPort: UInt16?

    init(
        _ settings: SupervisorSettings, gatewayPort: UInt16, nextPort: () throws(StartFailure) -> UInt16
    ) throws(StartFailure) {
        func ports(of process: ManagedProcess) throws(StartFailure) -> [UInt16] {
            if process.name == "inbox", settings.inboxPort != 0 { return [settings.inboxPort] }
            var ports: [UInt16] = []
            for _ in 0..<settings.replicas[process.name] {
                ports.append(process.name == "gateway" ? gatewayPort : try nextPort())
            }
            return ports
        }
        var services: [PlannedService] = []
        let optional = (settings.usesFakes ? [Manifest.fakes] : []) + (settings.runsConsole ? [Manifest.console] : [])
        for process in optional + Manifest.processes where Self.isPlanned(process, settings) {
            services.append(PlannedService(process: process, ports: try ports(of: process)))
        }
        self.services = services
        inboxPort = services.first { $0.name == "inbox" }?.ports.first
        redisPort = settings.redisPort == 0 ? try nextPort() : settings.redisPort
        fakeMailPort = settings.usesFakes ? try nextPort() : nil
    }

    /// Whether the stack has a process. There is no inbox in production, and no sample API if the stack has another upstream.
    private static func isPlanned(_ process: ManagedProcess, _ settings: SupervisorSettings) -> Bool {
        switch process.name {
        case "inbox": settings.environment != .production
        case "sample-api": settings.upstream == nil
        default: true
        }
    }

    func redisAddress(_ data: DataDirectory) -> RedisAddress {
        data.redisSocket.map(RedisAddress.unix) ?? .tcp(host: "127.0.0.1", port: Int(redisPort))
    }

    /// Returns the variables that all services share.
    ///
    /// - Parameter host: The host name at which people reach the gateway.
    func environment(
        _ inherited: [String: String], settings: SupervisorSettings, data: DataDirectory, host: String
    ) -> [String: String] {
        var variables = inherited
        variables["LATCHKEY_ENV"] = settings.environment.rawValue
        variables["LATCHKEY_POLICY"] = settings.policy
        variables["LATCHKEY_POLICIES_DIR"] = settings.policiesDirectory
        variables["LATCHKEY_DATA_DIR"] = data.path
        variables["LATCHKEY_SECRETS_DIR"] = data.secrets
        variables["REDIS_URL"] = redisAddress(data).description
        for name in Set(Manifest.processes.flatMap(\.calls)) {
            variables[Manifest.urlVariable(name)] = services.first { $0.name == name }?.urls
        }
        if let console = services.first(where: { $0.name == Manifest.console.name }) {
            variables[Manifest.urlVariable(console.name)] = console.urls
            variables[Manifest.urlVariable("gateway")] = services.first { $0.name == "gateway" }?.urls
        }
        variables["LATCHKEY_UPSTREAM"] = settings.upstream ?? services.first { $0.name == "sample-api" }?.urls
        if settings.environment != .production, inherited["LATCHKEY_PUBLIC_URL"]?.isEmpty ?? true {
            variables["LATCHKEY_PUBLIC_URL"] = services.first { $0.name == "gateway" }?.ports.first
                .map { "http://\(host):\($0)" }
        }
        for (name, value) in fakeProviders(data) where inherited[name]?.isEmpty ?? true { variables[name] = value }
        for foreign in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "REDIS_USER"] { variables[foreign] = nil }
        return variables.merging(Leftovers.mark(data)) { _, ours in ours }
    }

    /// Returns the settings by which Latchkey's senders reach the fakes, and the fakes reach Latchkey.
    private func fakeProviders(_ data: DataDirectory) -> [String: String] {
        guard let fakeMailPort, let fakes = services.first(where: { $0.name == Manifest.fakes.name }) else {
            return [:]
        }
        let gateway = services.first { $0.name == "gateway" }?.urls ?? ""
        // The fakes accept any secret.
        let sample = String(repeating: "0123456789abcdef", count: 2)
        return [
            "APPLE_URL": fakes.urls, "APPLE_TEAM_ID": "FAKETEAM01", "APPLE_KEY_ID": "FAKEKEY001",
            "APPLE_KEY_FILE": data.fakeAppleKey, "OIDC_KEYS_URL": fakes.urls, "RESEND_URL": fakes.urls,
            "MAIL_FROM": "Latchkey <login@latchkey.example>", "SMTP_HOST": "localhost",
            "SMTP_PORT": "\(fakeMailPort)", "SMTP_USER": "latchkey", "SMTP_CA_FILE": data.fakeCertificate,
            "FAKES_SMTP_LISTEN": "127.0.0.1:\(fakeMailPort)", "FAKES_CERTIFICATE_DIR": data.fakes,
            "FAKES_WEBHOOK_URL": gateway + "/webhooks/resend",
            "TWILIO_VERIFY_URL": fakes.urls, "TWILIO_API_URL": fakes.urls, "TWILIO_FROM": "+15005550006",
            "TWILIO_ACCOUNT_SID": "AC" + sample, "TWILIO_VERIFY_SID": "VA" + sample,
            "TWILIO_WHATSAPP_FROM": "+15005550006", "TWILIO_WHATSAPP_CONTENT_SID": "HX" + sample,
        ]
    }
}
