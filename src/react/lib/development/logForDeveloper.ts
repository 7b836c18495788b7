import { documentationUrl } from '@vitrine/contract';
import type { ActionStreamStatus, InspectionEvent } from '../inspectors.ts';
import { describeError } from './describeError.ts';
import { findStoredKey } from './findStoredKey.ts';

const troubleshooting = `${documentationUrl}/guides/troubleshooting.md`;
const told = new Set<string>();
/** URL of the last key request of each item. */
const urls = new Map<number, string>();

/** Writes one message per cause. */
const logOnce = (level: 'error' | 'warn', cause: string, message: string): void => {
  if (told.has(cause)) return;
  told.add(cause);
  console[level](message);
};

/** Delay of the checks: styles may load with the app's script, and a persister writes after a second. */
const settledMs = 2000;

const checkStyles = (): void => {
  // In a test, the page may be gone by now.
  if (typeof document === 'undefined') return;
  const report = document.querySelector('.vitrine-message')?.closest('.vitrine-report');
  if (!report || getComputedStyle(report).getPropertyValue('--_text') !== '') return;
  const advice =
    "Import '@vitrine/react/styles.css', or ignore this message if you style the classes yourself.";
  logOnce(
    'warn',
    'styles',
    `[vitrine] The page shows a message, but the style sheet is not loaded.\nWhat to do: ${advice}\n${troubleshooting}`,
  );
};

let isSearching = false;

const checkStorage = async (): Promise<void> => {
  if (isSearching || told.has('storage')) return;
  isSearching = true;
  // A page may have no storage.
  const place = await findStoredKey().catch(() => undefined);
  isSearching = false;
  if (place === undefined) return;
  logOnce(
    'error',
    'storage',
    `[vitrine] The page's storage contains an embed key, which is a credential.\nSeen in: ${place}\n` +
      'Likely cause: A React Query persister stores the whole cache.\n' +
      'What to do: Exclude queries whose queryKey[0] is embedKeyPrefix (shouldDehydrateQuery).\n' +
      `${troubleshooting}#keys-appear-in-the-pages-storage`,
  );
};

const streamAdvice: Partial<Readonly<Record<ActionStreamStatus, string>>> = {
  refused:
    'The response to the request for /actions is not an action stream.\nLikely cause: The backend has no option `actions`, nobody is signed in, or the request does not reach the backend.\nWhat to do: Look at the response in the network panel. If it is HTML, proxy the endpoint to the backend. Otherwise set `actions`, and check that the request contains the session.',
  buffered:
    'Nothing arrives from the action stream, so no clicks do.\nLikely cause: A proxy collects the response, or compresses it.\nWhat to do: Turn off buffering and compression for /actions in the proxy.',
};

/** Explains failures, with advice, in the browser's console. */
export const logForDeveloper = (event: InspectionEvent): void => {
  if (event.type === 'stream') {
    const advice = streamAdvice[event.status];
    if (advice) logOnce('warn', event.status, `[vitrine] ${advice}\n${troubleshooting}#clicks-do-not-arrive`);
  }
  if (event.type === 'request') urls.set(event.itemId, event.url);
  if (event.type !== 'state') return;
  const { itemId, state } = event;
  const { error, status } = state;
  if (error) {
    const level = status === 'degraded' || error.code === 'offline' ? 'warn' : 'error';
    const place = error.code === 'invalid_item_id' ? String(itemId) : (error.origin ?? '');
    logOnce(level, `${error.code} ${place}`, describeError(itemId, error, urls.get(itemId)));
  }
  setTimeout(error ? checkStyles : () => void checkStorage(), settledMs);
};
