"""The bridge over HTTP: who may call, what a body may be, how errors are told, the routes."""
