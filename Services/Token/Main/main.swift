internal import TokenCore

await TokenService.run()
