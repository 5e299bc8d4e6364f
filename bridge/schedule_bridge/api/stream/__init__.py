"""The stream: one WebSocket for each client, and what is said over it."""
