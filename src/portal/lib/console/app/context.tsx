import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { PortalTenant } from '../../tenants/describeTenants.ts';
import type { Row } from './api.ts';

/** A question before a loss. */
export interface Question {
  readonly text: string;
  /** Text of the button that loses something. */
  readonly action: string;
  readonly act: () => Promise<unknown>;
}

/** A row that is shown as a whole, even when its list no longer has it. */
export interface Opened {
  readonly title: string;
  readonly row: Row;
}

/** What every view can use. */
interface ConsoleContextValue {
  readonly tenants: readonly PortalTenant[];
  readonly tenant: PortalTenant;
  /** Shows a sentence at the top of the page. */
  readonly say: (text: string) => void;
  /** Shows a whole row. */
  readonly open: (opened: Opened) => void;
  /** Asks before a loss. */
  readonly confirm: (question: Question) => void;
}

export const ConsoleContext = createContext<ConsoleContextValue | undefined>(undefined);

/** What every view can use. */
export const useConsole = (): ConsoleContextValue => {
  const value = useContext(ConsoleContext);
  if (value === undefined) throw new Error('Views are inside the console.');
  return value;
};

/** Runs a change, reads everything again, and shows why it failed. */
export const useChange = (): ((act: () => Promise<unknown>) => Promise<void>) => {
  const client = useQueryClient();
  const { say } = useConsole();
  return async (act) => {
    say('');
    try {
      await act();
    } catch (error) {
      say(error instanceof Error ? error.message : 'Something failed.');
    }
    await client.invalidateQueries();
  };
};

/** A place in the console: `#preview/acme/1042` is a view, a tenant, and the subject of the view. */
export interface Place {
  readonly view: string;
  readonly tenancyName: string | undefined;
  readonly subject: string | undefined;
}

const listen = (onChange: () => void) => {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
};

/** The place in the address. */
export const usePlace = (): Place => {
  const hash = useSyncExternalStore(listen, () => window.location.hash);
  const [view = '', tenancyName, subject] = hash.slice(1).split('/');
  return { view, tenancyName, subject };
};
