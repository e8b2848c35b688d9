"""How requests come in and answers go out: connections, threads, metrics, what watches over the process."""
