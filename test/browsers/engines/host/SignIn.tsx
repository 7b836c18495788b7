import { type ReactNode, useEffect, useState } from 'react';

interface Session {
  readonly person: { readonly id: string } | null;
  readonly people: readonly { readonly id: string; readonly name: string }[];
}

const callSession = async (init?: RequestInit): Promise<Session> =>
  (await fetch('/demo/session', init)).json();

/** Asks who is signed in, and then shows the page. */
export const SignIn = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const [session, setSession] = useState<Session>();
  useEffect(() => void callSession().then(setSession), []);
  if (!session) return null;
  if (session.person) return children;
  const signIn = async (personId: string) => {
    const headers = { 'content-type': 'application/json' };
    setSession(await callSession({ method: 'POST', headers, body: JSON.stringify({ personId }) }));
  };
  return (
    <main>
      <h1>Who is looking?</h1>
      {session.people.map(({ id, name }) => (
        <button key={id} id={id} type="button" onClick={() => void signIn(id)}>
          {name}
        </button>
      ))}
    </main>
  );
};
