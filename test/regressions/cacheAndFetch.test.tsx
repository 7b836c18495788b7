import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { EmbedError } from '@vitrine/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { onlyOurs } from './onlyOurs.ts';
import { compare, createQueryReport } from './subjects.tsx';

const minute = 60_000;
const hour = 60 * minute;

// The control's cache notifies its observers in the same task, so that only the scene's timers are waited for.
beforeAll(() => notifyManager.setScheduler(queueMicrotask));

const interferences: Record<string, (client: QueryClient) => unknown> = {
  removed: (client) => client.removeQueries(),
  cleared: (client) => client.clear(),
  canceled: (client) => client.cancelQueries(),
  reset: (client) => client.resetQueries(),
  invalidated: (client) => client.invalidateQueries(),
};

describe('a query cache that is changed during a key request, and again while the report is visible', () => {
  it.each(Object.entries(interferences))(
    'when the query is %s, the report appears and stays visible',
    async (_, interfere) => {
      const findings = await compare(async ({ backend, queryClient, frames, show, pass, isGood }) => {
        const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
        backend.respond = async ({ url, body, headers }) => {
          await answered;
          return backend.fetch(url, { body: JSON.stringify(body), headers });
        };
        await show();
        await act(async () => void interfere(queryClient));
        backend.respond = undefined;
        await act(async () => answer());
        await pass(minute);
        const appears = isGood();
        const [frame] = frames();
        const address = frame?.src;
        await act(async () => void interfere(queryClient));
        await pass(minute);
        return { appears, stays: isGood(), isSame: frames()[0] === frame && frame?.src === address };
      }, createQueryReport('per report'));
      expect(findings).toEqual(onlyOurs({ appears: true, stays: true, isSame: true }));
    },
  );
});

const answers: Record<string, () => unknown> = {
  'resolves to nothing': () => undefined,
  'throws instead of rejecting': () => {
    throw new Error('A fetch that throws.');
  },
  'rejects with nothing': () => Promise.reject(),
  'returns a value that is not JSON': () => new Response('<html>'),
  'returns null': () => Response.json(null),
  'returns another item': () => Response.json({ itemId: 7, key: 'k', lifetimeMs: hour }),
  'fails in the body': () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new Error('cut')) })),
};

describe('a fetch function that misbehaves', () => {
  it.each(Object.entries(answers))(
    '%s: yields an error with a code, and a key later',
    async (_, misbehave) => {
      const findings = await compare(async ({ provider, show, pass, frames, isGood }) => {
        const { fetch } = provider;
        const codes: unknown[] = [];
        // A host's own fetch may return anything, despite its type.
        provider.fetch = misbehave as unknown as typeof globalThis.fetch;
        await show({ onError: (error) => codes.push(error instanceof EmbedError && error.code) });
        const shownAtFirst = frames().length;
        const shownCode = document.querySelector('[data-code]')?.getAttribute('data-code');
        provider.fetch = fetch;
        await show();
        await pass(minute);
        return { shownAtFirst, codes, shownCode, isGood: isGood() };
      });
      const code = expect.stringMatching(/^backend_/);
      expect(findings).toEqual(onlyOurs({ shownAtFirst: 0, codes: [code], shownCode: code, isGood: true }));
      expect(findings.control.isGood).toBe(false);
    },
  );
});
