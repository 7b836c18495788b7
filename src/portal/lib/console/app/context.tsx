import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { PortalTenant } from '../../tenants/describeTenants.ts';

/** What every view can use. */
interface ConsoleContextValue {
  readonly tenant: PortalTenant;
  /** What the address opens in the view: `1042` in `#preview/acme/1042`. */
  readonly subject: string;
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

/** Moves the focus from a row that is gone to the one in its place, or to the list. */
export const keepFocus = (place = -1) =>
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const rows = [...document.querySelectorAll('tbody tr')].slice(0, place + 1);
    const button = rows.at(-1)?.querySelector<HTMLElement>('button:last-child');
    (button ?? document.querySelector<HTMLElement>('.scroll, main:not(:has(.scroll))'))?.focus();
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
