import { useEffect } from 'react';
import { Brand } from './Brand.tsx';
import type { PersonSummary } from './backend.ts';
import { initials } from './initials.ts';

interface SignInProps {
  readonly people: readonly PersonSummary[];
  readonly onChoose: (personId: string) => void;
}

/** Choose who you are: each person has other roles, and so sees other rows. */
export const SignIn = ({ people, onChoose }: SignInProps) => {
  useEffect(() => {
    document.title = 'Sign in · Acme Insights';
  }, []);
  return (
    <main className="sign-in">
      <div className="sign-in-panel">
        <Brand />
        <h1>Who are you?</h1>
        <p className="muted">
          Everyone sees the same list. This app decides which of the reports each person may open, and the
          portal shows them only the rows of their roles.
        </p>
        <ul className="people">
          {people.map(({ id, name, email, summary }) => (
            <li key={id}>
              <button type="button" className="person" onClick={() => onChoose(id)}>
                <span className="avatar" aria-hidden="true">
                  {initials(name)}
                </span>
                <span className="person-text">
                  <span className="person-name">{name}</span>
                  <span className="muted">{summary}</span>
                  <span className="person-email">{email}</span>
                </span>
                <span className="chevron" aria-hidden="true">
                  ›
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
};
