internal import ControlCore

await LatchkeyControl.start()
