internal import SupervisorCore

Supervisor.start()
