import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readSession, type Session, signIn, signOut } from './backend.ts';
import { notifyOtherTabs, onOtherTabs } from './otherTabs.ts';
import { SignIn } from './SignIn.tsx';
import { Workspace } from './Workspace.tsx';

const sessionKey = ['demo-session'];

/** The host app: shows the sign-in page or the workspace. */
export const App = () => {
  const queryClient = useQueryClient();
  const keep = (next: Session) => {
    queryClient.setQueryData(sessionKey, next);
    notifyOtherTabs(next.person?.id ?? '');
  };
  const {
    mutate: change,
    isError: isUnchanged,
    submittedAt,
  } = useMutation({
    mutationFn: (act: () => Promise<Session>) => act(),
    onSuccess: keep,
  });
  const {
    data: session,
    dataUpdatedAt,
    error,
    refetch,
  } = useQuery({
    queryKey: sessionKey,
    queryFn: readSession,
    // While the backend is unavailable, keep checking, so that the message disappears as soon as it is back.
    refetchInterval: ({ state }) => isUnchanged && state.dataUpdatedAt < submittedAt && 2000,
  });
  useEffect(() => onOtherTabs(() => void refetch()), [refetch]);
  const choose = (personId: string, besideId?: string) => change(() => signIn(personId, besideId));

  if (session === undefined)
    return error === null ? null : (
      <main className="notice" role="alert">
        <h1>The demo’s backend does not respond</h1>
        <p className="muted">{error.message} Is “npm start” still running?</p>
        <button type="button" className="button" onClick={() => void refetch()}>
          Try again
        </button>
      </main>
    );
  const { person, beside, people, reports } = session;
  return (
    <>
      {isUnchanged && dataUpdatedAt < submittedAt && (
        <p className="toast" role="alert">
          The demo’s backend does not respond. Is “npm start” still running?
        </p>
      )}
      {person === null ? (
        <SignIn people={people} onChoose={(personId) => choose(personId)} />
      ) : (
        <Workspace
          person={person}
          beside={beside}
          people={people}
          reports={reports}
          onSwitch={(personId) => choose(personId)}
          onCompare={(besideId) => choose(person.id, besideId)}
          onSignOut={() => change(signOut)}
          onSignedOut={() => void refetch()}
        />
      )}
    </>
  );
};
