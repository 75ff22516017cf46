import GatewayCore

await Gateway.run()
