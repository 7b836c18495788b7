import { type ActionInbox, postgresInbox, sqliteInbox } from '@vitrine/server/actions';

/** Opens an inbox at a path, or at `postgres://…#schema`. */
export const openInbox = (place: string): ActionInbox => {
  if (!place.startsWith('postgres:')) return sqliteInbox(place);
  const [url = '', schema = ''] = place.split('#');
  return postgresInbox(url, { schema });
};
