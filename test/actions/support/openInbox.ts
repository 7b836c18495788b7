import { type ActionInbox, postgresInbox, sqliteInbox } from '@vitrine/server/actions';

/** Opens an inbox at a path, or at `postgres://…#schema`. The options are those of a file. */
export const openInbox = (place: string, options: Parameters<typeof sqliteInbox>[1] = {}): ActionInbox => {
  if (!place.startsWith('postgres:')) return sqliteInbox(place, options);
  const [url = '', schema = ''] = place.split('#');
  return postgresInbox(url, { schema });
};
