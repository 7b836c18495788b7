/** Shortest lifetime of a key that is worked with, in milliseconds; anything shorter is treated as this. */
export const minKeyLifetimeMs = 60_000;

/** Longest lifetime of a key that is worked with, in milliseconds: the portal clamps there too. */
export const maxKeyLifetimeMs = 24 * 60 * 60 * 1000;
