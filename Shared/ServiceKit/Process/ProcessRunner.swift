import Configuration
import CoreMetrics
import Glibc
import Logging
import NIOPosix
import Policies
import PrivateFiles
import Release
import ServiceLifecycle
import UnixSignals

/// Runs a process from its settings to its end.
///
/// Reads the settings, sets up logs and metrics, serves the operations port, runs the plan's services until SIGTERM or
/// SIGINT, and lets them finish within ten seconds. A wrong setting ends it at once with status 78 and a line that says
/// which; so another start is of no use until somebody has mended it. Any other failure ends it with status 1.
///
/// - Parameters:
///   - name: short name of the process, e.g. `otp`.
///   - defaultPort: where it listens unless `LATCHKEY_LISTEN` says otherwise.
///   - mayListenNowhere: whether `LATCHKEY_LISTEN` may be `none`.
///   - socketThreads: threads that read and write sockets.
package func runProcess(
    _ name: String, defaultPort: Int, mayListenNowhere: Bool = false, socketThreads: SocketThreads = .one,
    build: (ProcessContext) async throws -> ProcessPlan
) async {
    ProcessMetrics.noteStart()
    FileAccess.keepNewFilesPrivate()
    ProcessPrivacy.refuseCoreFiles()
    socketThreads.apply()
    // A reader of the log that goes away must not take the process with it.
    signal(SIGPIPE, SIG_IGN)
    let sink = LogSink()
    do {
        let context = try makeContext(
            name, defaultPort: defaultPort, mayListenNowhere: mayListenNowhere, sink: sink)
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        let plan = try await build(context)
        let listen = context.settings.listensNowhere ? "none" : context.settings.listen.description
        context.logger.info("process.started", metadata: ["listen": "\(listen)", "version": "\(Release.version)"])
        let services = serviceGroup(plan, context, metrics: metrics, sink: sink)
        try await withTaskExecutorPreference(EventLoopExecutor.shared) { try await services.run() }
        context.logger.info("process.stopped")
        sink.flush()
    } catch {
        sink.flush()
        stop(name, because: error)
    }
}

/// Seconds that running requests have after SIGTERM; below every container's stop timeout.
private let gracefulShutdownSeconds = 10

private func makeContext(
    _ name: String, defaultPort: Int, mayListenNowhere: Bool, sink: LogSink
) throws -> ProcessContext {
    let reader = ConfigReader(provider: EnvironmentVariablesProvider())
    let settings = try ProcessSettings(
        name: name, defaultPort: defaultPort, reader: reader, mayListenNowhere: mayListenNowhere)
    if settings.environment == .production { ProcessPrivacy.refuseReaders() }
    LoggingSystem.bootstrap { _ in JSONLogHandler(process: name, level: settings.logLevel, sink: sink) }
    let policy = try Policy.load(
        named: settings.policyName, directory: settings.policiesDirectory, appName: settings.appName)
    if let problem = policy.problems(in: settings.environment).first {
        throw SettingsError("LATCHKEY_POLICY \(settings.policyName)", problem)
    }
    let logger = Logger(label: name)
    for exposure in settings.exposures() { logger.warning("files.exposed", metadata: ["problem": "\(exposure)"]) }
    return ProcessContext(settings: settings, policy: policy, logger: logger)
}

private func serviceGroup(
    _ plan: ProcessPlan, _ context: ProcessContext, metrics: MetricsRegistry, sink: LogSink
) -> ServiceGroup {
    let drain = Drain()
    let operations = OperationsServer(
        address: context.settings.operationsListen, peer: context.settings.redisPeer, readiness: plan.readiness,
        drain: drain, metrics: metrics, sink: sink)
    let services: [any Service] = [operations] + plan.services + [StartUpMemory(), drain]
    var configuration = ServiceGroupConfiguration(
        services: services.map { service in
            // The drain ends by itself as the shutdown begins; any other service that ends takes the process with it.
            .init(service: service, successTerminationBehavior: service is Drain ? .ignore : .gracefullyShutdownGroup)
        }, gracefulShutdownSignals: [.sigterm, .sigint], logger: context.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(gracefulShutdownSeconds)
    return ServiceGroup(configuration: configuration)
}

/// Says why the process ends, and ends it.
private func stop(_ name: String, because error: any Error) -> Never {
    let line = "\(name): \(error)\n"
    _ = unsafe line.withCString { unsafe write(STDERR_FILENO, $0, line.utf8.count) }
    exit(ProcessEnding(error).rawValue)
}
