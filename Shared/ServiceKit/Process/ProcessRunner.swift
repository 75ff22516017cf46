import Configuration
import CoreMetrics
import FoundationEssentials
import Glibc
import Logging
import NIOPosix
import Policies
import PrivateFiles
import Release
import ServiceLifecycle
import SettingNames
import UnixSignals

/// Runs a process from its settings to its end.
///
/// Reads the settings, sets up logs and metrics, serves the operations port, runs the plan's services until SIGTERM or SIGINT,
/// and lets them finish within ten seconds. `--help` prints the settings instead. With wrong settings the process exits at once
/// with status 78 and a line for each, since another start fails until they are corrected. After any other failure it exits
/// with status 1.
///
/// - Parameters:
///   - name: The short name of the process, e.g. `otp`.
///   - summary: The purpose of the process, in one sentence, for `--help`.
///   - defaultPort: The port at which it listens unless `LATCHKEY_LISTEN` is set.
///   - mayListenNowhere: Whether `LATCHKEY_LISTEN` may be `none`.
///   - socketThreads: The number of threads that read and write sockets.
package func runProcess(
    _ name: String, _ summary: String, defaultPort: Int, mayListenNowhere: Bool = false,
    socketThreads: SocketThreads = .one, build: (ProcessContext) async throws -> ProcessPlan
) async {
    answer(ProcessArguments(CommandLine.arguments, name: name, summary: summary))
    ProcessMetrics.noteStart()
    FileAccess.keepNewFilesPrivate()
    ProcessPrivacy.refuseCoreFiles()
    socketThreads.apply()
    // If the reader of the log closes its pipe, the process must not exit with it.
    signal(SIGPIPE, SIG_IGN)
    // SIGHUP asks for files to be read again. It must not end a process that reads none, or does not read them yet.
    signal(SIGHUP, SIG_IGN)
    let sink = LogSink()
    do {
        let metrics = MetricsRegistry()
        let context = try makeContext(
            name, defaultPort: defaultPort, mayListenNowhere: mayListenNowhere, sink: sink, metrics: metrics)
        MetricsSystem.bootstrap(metrics)
        let plan = try await build(context)
        let listen = context.settings.listensNowhere ? "none" : context.settings.listen.description
        context.logger.info("process.started", metadata: ["listen": "\(listen)", "version": "\(Release.version)"])
        let services = serviceGroup(plan, context, metrics: metrics, sink: sink)
        try await withTaskExecutorPreference(EventLoopExecutor.shared) { try await services.run() }
        context.logger.info("process.stopped")
        sink.flush()
    } catch is StartWait.Stopped {
        sink.flush()
    } catch {
        sink.flush()
        stop(name, because: error)
    }
}

/// How many seconds running requests have after SIGTERM; less than every container's stop timeout.
private let gracefulShutdownSeconds = 10

/// Prints the text that the command line requests, and exits; returns if the process is to run.
private func answer(_ arguments: ProcessArguments) {
    switch arguments {
    case .run: return
    case .show(let text):
        say(text, on: STDOUT_FILENO)
        exit(EXIT_SUCCESS)
    case .refuse(let line):
        say(line, on: STDERR_FILENO)
        exit(ProcessEnding.wrongUsage.rawValue)
    }
}

private func say(_ text: String, on stream: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe write(stream, bytes, bytes.count)
}

private func makeContext(
    _ name: String, defaultPort: Int, mayListenNowhere: Bool, sink: LogSink, metrics: MetricsRegistry
) throws -> ProcessContext {
    let reader = ConfigReader(provider: EnvironmentVariablesProvider())
    let (settings, policy) = try SettingsReport.both(
        {
            try ProcessSettings(
                name: name, defaultPort: defaultPort, reader: reader, mayListenNowhere: mayListenNowhere)
        },
        { try Policy.load(from: reader) })
    if settings.environment == .production { ProcessPrivacy.refuseReaders() }
    try SettingsReport.requireNone(policy.problems(in: settings.environment))
    LoggingSystem.bootstrap(
        { _, provider in
            JSONLogHandler(process: name, level: settings.logLevel, metadataProvider: provider, sink: sink)
        }, metadataProvider: .ofTrace)
    let logger = Logger(label: name)
    for exposure in settings.exposures() { logger.warning("files.exposed", metadata: ["problem": "\(exposure)"]) }
    for variable in UnknownVariable.all(in: ProcessInfo.processInfo.environment.keys) {
        logger.warning(
            "settings.unknown", metadata: ["variable": "\(variable.name)", "problem": "\(variable)"])
    }
    let wait = StartWait(settings: settings, metrics: metrics, sink: sink, logger: logger)
    return ProcessContext(settings: settings, policy: policy, logger: logger, startWait: wait)
}

extension Policy {
    /// The policy that `LATCHKEY_POLICY`, `LATCHKEY_POLICIES_DIR` and `LATCHKEY_APP_NAME` specify.
    fileprivate static func load(from reader: ConfigReader) throws(PolicyError) -> Policy {
        try load(
            named: reader.text("LATCHKEY_POLICY") ?? defaultName,
            directory: reader.text("LATCHKEY_POLICIES_DIR") ?? "", appName: reader.text("LATCHKEY_APP_NAME"))
    }
}

private func serviceGroup(
    _ plan: ProcessPlan, _ context: ProcessContext, metrics: MetricsRegistry, sink: LogSink
) -> ServiceGroup {
    let drain = Drain()
    let readiness = plan.readiness + [ReadinessCheck("clock", problem: { context.clocks.problem })]
    context.state.use(readiness)
    let operations = OperationsServer(
        addresses: context.settings.operationsListen, peers: context.settings.redisPeers,
        readiness: readiness, drain: drain, metrics: metrics, sink: sink)
    let services: [any Service] = [operations] + plan.services + [drain]
    var configuration = ServiceGroupConfiguration(
        services: services.map(ServiceGroupConfiguration.ServiceConfiguration.init(part:)),
        gracefulShutdownSignals: [.sigterm, .sigint], logger: context.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(gracefulShutdownSeconds)
    return ServiceGroup(configuration: configuration)
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// A part of a process, by the name of its type. Without a name the library describes all that the part holds: the gateway's
    /// text has 47 MB, and keys in it.
    init(part: any Service) {
        // The drain ends when the shutdown begins; if any other part ends, the process stops with it.
        self.init(
            service: part, successTerminationBehavior: part is Drain ? .ignore : .gracefullyShutdownGroup,
            serviceName: "\(type(of: part))")
    }
}

/// Reports why the process exits, and exits.
private func stop(_ name: String, because error: any Error) -> Never {
    say("\(error)".split(separator: "\n").map { "\(name): \($0)\n" }.joined(), on: STDERR_FILENO)
    exit(ProcessEnding(error).rawValue)
}
