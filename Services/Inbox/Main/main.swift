internal import InboxCore

await InboxService.run()
