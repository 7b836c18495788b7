/** SQLite's extended code of a broken unique index, and Postgres's. */
const sqliteUnique = 2067;
const postgresUnique = '23505';

/** Whether a database error says that a unique value was there already (two writers at the same moment). */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error &&
  (('errcode' in error && error.errcode === sqliteUnique) ||
    ('code' in error && error.code === postgresUnique));
