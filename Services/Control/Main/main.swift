import ControlCore

await LatchkeyControl.start()
