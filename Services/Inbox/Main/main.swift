import InboxCore

await InboxService.run()
