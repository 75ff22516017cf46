import SupervisorCore

Supervisor.start()
