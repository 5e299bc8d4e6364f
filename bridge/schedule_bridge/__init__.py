"""Decides whether a scheduled run may start while another is active, and remembers why."""
