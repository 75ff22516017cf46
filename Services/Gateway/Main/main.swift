internal import GatewayCore

await Gateway.run()
