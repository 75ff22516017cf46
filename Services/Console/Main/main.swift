import ConsoleCore

await ConsoleService.run()
