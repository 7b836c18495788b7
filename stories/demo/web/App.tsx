import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readSession, type Session, signIn, signOut } from './backend.ts';
import { onOtherTabs, tellOtherTabs } from './otherTabs.ts';
import { SignIn } from './SignIn.tsx';
import { Workspace } from './Workspace.tsx';

const sessionKey = ['demo-session'];

/** The host app: who is signed in decides what it shows. */
export const App = () => {
  const queryClient = useQueryClient();
  const { data: session, error, refetch } = useQuery({ queryKey: sessionKey, queryFn: readSession });
  useEffect(() => onOtherTabs(() => void refetch()), [refetch]);
  const keep = (next: Session) => {
    queryClient.setQueryData(sessionKey, next);
    tellOtherTabs(next.person?.id ?? '');
  };
  const { mutate: choose } = useMutation({ mutationFn: signIn, onSuccess: keep });
  const { mutate: leave } = useMutation({ mutationFn: signOut, onSuccess: keep });

  if (session === undefined)
    return error === null ? null : (
      <main className="notice" role="alert">
        <h1>The demo’s backend does not answer</h1>
        <p className="muted">{error.message} Is “npm start” still running?</p>
        <button type="button" className="button" onClick={() => void refetch()}>
          Try again
        </button>
      </main>
    );
  const { person, people, reports } = session;
  if (person === null) return <SignIn people={people} onChoose={choose} />;
  return (
    <Workspace
      key={person.id}
      person={person}
      people={people}
      reports={reports}
      onSwitch={choose}
      onSignOut={leave}
      onSignedOut={() => void refetch()}
    />
  );
};
