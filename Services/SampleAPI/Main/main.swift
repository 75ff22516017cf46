internal import SampleAPICore
internal import ServiceKit

await runProcess(SampleAPI.name, defaultPort: SampleAPI.defaultPort) { context in SampleAPI.plan(context) }
