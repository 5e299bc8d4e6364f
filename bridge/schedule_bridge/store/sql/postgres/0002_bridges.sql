-- The bridges that run, or did until a moment ago: one row for each life of one. A bridge enters
-- itself at every renewal of its leases, and whoever does so takes out those that have not of late.
CREATE TABLE bridges (
    owner text PRIMARY KEY,
    address text NOT NULL,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);
