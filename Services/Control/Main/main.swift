internal import ArgumentParser
internal import ControlCore

await LatchkeyControl.start()
