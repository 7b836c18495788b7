/** Responses of the demo's own backend; see ../backend/createHost.ts. */
export interface PersonSummary {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly summary: string;
}

export interface ReportSummary {
  readonly itemId: number;
  readonly title: string;
  readonly summary: string;
}

export interface Session {
  readonly person: PersonSummary | null;
  /** Whose reports are shown beside theirs. */
  readonly beside: PersonSummary | null;
  readonly people: readonly PersonSummary[];
  readonly reports: readonly ReportSummary[];
}

const ask = async <TResult>(method: string, path: string, body?: object): Promise<TResult> => {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The demo's backend responded with status ${response.status}.`);
  return response.json() as Promise<TResult>; // both sides are this demo
};

export const readSession = () => ask<Session>('GET', '/demo/session');
export const signIn = (personId: string, besideId?: string) =>
  ask<Session>('POST', '/demo/session', { personId, besideId });
export const signOut = () => ask<Session>('DELETE', '/demo/session');
export const startOutage = () => ask<{ readonly outageMs: number }>('POST', '/demo/outage');
