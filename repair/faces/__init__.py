"""What people see: the command line, the terminal view and the reports. Nothing imports a face."""
