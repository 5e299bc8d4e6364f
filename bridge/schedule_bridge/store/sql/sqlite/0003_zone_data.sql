-- By which zone data a trigger's next tick was computed; null if nobody has noted it.
ALTER TABLE triggers ADD COLUMN zone_data TEXT;
