"""Several bridges on one PostgreSQL: how they grow, and what everything takes there."""
