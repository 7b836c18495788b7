import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { PortalTenant } from '../../tenants/describeTenants.ts';
import type { Row } from './api.ts';

/** What every view can use. */
interface ConsoleContextValue {
  readonly tenant: PortalTenant;
  /** What the address opens in the view: `1042` in `#preview/acme/1042`. */
  readonly subject: string;
  /** What is chosen in the view, as a query. */
  readonly address: string;
  readonly setAddress: (query: string) => void;
  /** Shows a sentence at the top of the page. */
  readonly say: (text: string) => void;
  /** Shows a dialog, or closes it. */
  readonly show: (dialog: ReactNode) => void;
}

export const ConsoleContext = createContext<ConsoleContextValue | undefined>(undefined);

/** What every view can use. */
export const useConsole = (): ConsoleContextValue => {
  const value = useContext(ConsoleContext);
  if (value === undefined) throw new Error('Views are inside the console.');
  return value;
};

/** What is chosen in the view. The address has what differs from `first`, so Reload and Back keep it. */
export const useChosen = <TChosen extends Row>(first: TChosen) => {
  const { address, setAddress } = useConsole();
  const given = new URLSearchParams(address);
  const chosen = Object.entries(first).map(([name, value]) => {
    const texts = given.getAll(name);
    if (texts.length === 0) return [name, value];
    return [name, Array.isArray(value) ? texts.filter((text) => text !== '') : texts[0]];
  });
  const choose = (next: Row) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(next))
      if (JSON.stringify(value) !== JSON.stringify(first[name]))
        // An empty list has one empty text.
        for (const text of Array.isArray(value) ? ['', ...value] : [value]) query.append(name, String(text));
    setAddress(String(query));
  };
  // The values have the types of the first ones.
  return [Object.fromEntries(chosen) as TChosen, choose] as const;
};

/** Moves the focus from a row that is gone to the one in its place, or to the view. */
export const keepFocus = (place = -1) =>
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const rows = [...document.querySelectorAll('tbody tr')].slice(0, place + 1);
    const button = rows.at(-1)?.querySelector<HTMLElement>('button:last-child');
    (button ?? document.querySelector<HTMLElement>('main'))?.focus();
    // The list is drawn by then.
  }, 100);

/** Runs a change, says the sentence that it returns or why it failed, and reads everything again. */
export const useChange = (): ((act: () => Promise<unknown>) => Promise<void>) => {
  const client = useQueryClient();
  const { say } = useConsole();
  return async (act) => {
    const place = document.activeElement?.closest('tr')?.sectionRowIndex;
    say('');
    try {
      const result = await act();
      if (typeof result === 'string') say(result);
    } catch (error) {
      say(error instanceof Error ? error.message : 'Something failed.');
    }
    await client.invalidateQueries();
    keepFocus(place);
  };
};
