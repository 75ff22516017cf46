import FakesCore

await Fakes.run()
