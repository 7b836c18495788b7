import { Brand } from './Brand.tsx';
import type { PersonSummary } from './backend.ts';
import { initials } from './initials.ts';
import { themes, useTheme } from './useTheme.ts';

interface TopBarProps {
  readonly person: PersonSummary;
  readonly people: readonly PersonSummary[];
  readonly onSwitch: (personId: string) => void;
  readonly onSignOut: () => void;
}

const themeLabels = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;

export const TopBar = ({ person, people, onSwitch, onSignOut }: TopBarProps) => {
  const [theme, setTheme] = useTheme();
  return (
    <header className="top">
      <Brand />
      <div className="top-controls">
        <label className="select">
          <span className="visually-hidden">Theme</span>
          <select
            value={theme}
            onChange={(event) => setTheme(themes.find((known) => known === event.target.value) ?? 'system')}
          >
            {themes.map((value) => (
              <option key={value} value={value}>
                {themeLabels[value]}
              </option>
            ))}
          </select>
        </label>
        <label className="select select-person">
          <span className="avatar avatar-small" aria-hidden="true">
            {initials(person.name)}
          </span>
          <span className="visually-hidden">Signed in as</span>
          <select value={person.id} onChange={(event) => onSwitch(event.target.value)}>
            {people.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="button button-quiet" onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </header>
  );
};
