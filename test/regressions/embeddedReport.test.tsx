import { act } from '@testing-library/react';
import type { EmbedKey } from '@vitrine/contract';
import { type EmbeddedReportHandle, embedKeyOptions } from '@vitrine/react';
import { createRef, Profiler, type ReactNode, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sized } from '../support/size.ts';
import { problem } from '../support/virtualBackend.ts';
import { onlyOurs } from './onlyOurs.ts';
import { compare, createQueryReport, HandMadeReport, type SubjectProps } from './subjects.tsx';

const second = 1_000;

/** The control: a report with the age of its key in its state, like one with a countdown. */
const AgingReport = (props: SubjectProps): ReactNode => {
  const [age, setAge] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setAge(age + 1), second);
    return () => clearTimeout(timer);
  }, [age]);
  return <HandMadeReport {...props} />;
};

/** The control: a hand-written report whose requests, including prefetches, wait for one lock. */
const LockedReport = ({ provider, itemId = 1042, prefetch }: SubjectProps): ReactNode => {
  const [key, setKey] = useState<EmbedKey>();
  const lock = useRef<Promise<unknown>>(Promise.resolve());

  const ask = (item: number): Promise<EmbedKey> => {
    const answer = lock.current.then(async () => {
      const headers = { ...(await provider.headers?.()), 'content-type': 'application/json' };
      const body = JSON.stringify({ itemId: item });
      const response = await provider.fetch(`${provider.endpoint}/keys`, { method: 'POST', headers, body });
      // The backend of the tests returns nothing else.
      return (await response.json()) as EmbedKey;
    });
    lock.current = answer;
    return answer;
  };

  useImperativeHandle(prefetch, () => async (item) => void (await ask(item)));
  useEffect(() => {
    void ask(itemId).then(setKey);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the lock is what this is about
  }, [itemId]);

  if (!key) return null;
  return <iframe title="Sales" src={`${key.tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key.key)}`} />;
};

const minute = 60 * second;
const hour = 60 * minute;

/** The tests that cause uncaught errors check them. */
const uncaught = vi.fn<(error: unknown) => void>();
const fail = () => {
  throw new Error('A mistake.');
};
beforeEach(() => {
  uncaught.mockClear();
  vi.stubGlobal('reportError', uncaught);
});
afterEach(() => void vi.unstubAllGlobals());

describe('faults of other embedding components, tested with this one and a hand-written report', () => {
  it('keeps the frame for new callbacks, and renews the key early enough', async () => {
    const findings = await compare(async ({ backend, show, frames, pass }) => {
      await show({ onLoad: () => {} });
      const [first] = frames();
      for (let renders = 0; renders < 20; renders += 1) await show({ onLoad: () => {}, onError: () => {} });
      const keysAfterRenders = backend.requests.length;
      const hasSameFrame = frames()[0] === first;
      await pass(54 * minute);
      return { keysAfterRenders, hasSameFrame, keysAtNineTenths: backend.requests.length };
    });
    expect(findings).toEqual(onlyOurs({ keysAfterRenders: 1, hasSameFrame: true, keysAtNineTenths: 2 }));
  });

  it('shows a key that arrives after the old one has expired, without reloading the page', async () => {
    const findings = await compare(async ({ backend, show, pass, isGood }) => {
      await show();
      backend.respond = () => problem(503, 'portal_unavailable');
      await pass(62 * minute);
      const wasGood = isGood();
      backend.respond = undefined;
      await pass(minute);
      return { wasGood, isGood: isGood() };
    });
    expect(findings).toEqual(onlyOurs({ wasGood: false, isGood: true }));
  });

  it('neither freezes nor floods when callbacks call into the report', async () => {
    const findings = await compare(async ({ backend, show, pass, isGood }) => {
      const handle = createRef<EmbeddedReportHandle>();
      const refresh = () => handle.current?.refresh();
      backend.respond = () =>
        // An endless loop would never stop by itself.
        backend.requests.length < 300 ? problem(503, 'portal_unavailable') : new Promise(() => {});
      await show({ handle, onLoad: refresh, onError: refresh });
      await pass(minute);
      const isStorm = backend.requests.length > 60;
      backend.respond = undefined;
      await pass(minute);
      const before = backend.requests.length;
      // Each loaded key requests the next, at least ten seconds later.
      await pass(5 * minute);
      return { isStorm, isGood: isGood(), isThrifty: backend.requests.length - before <= 31 };
    });
    expect(findings).toEqual(onlyOurs({ isStorm: false, isGood: true, isThrifty: true }));
  });

  it('ignores a slow old response after a newer one', async () => {
    const findings = await compare(async ({ backend, show, frames, pass }) => {
      let answerLate = (_: Response) => {};
      backend.respond = () => {
        backend.respond = undefined;
        return new Promise((resolve) => {
          answerLate = resolve;
        });
      };
      await show();
      await pass(20 * second);
      await show({ onLoad: () => {} });
      const [shown] = frames();
      answerLate(
        Response.json({
          itemId: 1042,
          key: 'late',
          tenantUrl: 'https://acme.example',
          lifetimeMs: hour,
          expiresAt: '',
        }),
      );
      await pass(minute);
      return {
        hasFrame: shown !== undefined,
        isLateShown: frames().some(({ src }) => src.endsWith('late')),
      };
    });
    expect(findings).toEqual(onlyOurs({ hasFrame: true, isLateShown: false }));
  });

  it('reports a callback that throws as uncaught, and keeps the report', async () => {
    const findings = await compare(async ({ backend, show, pass, isGood }) => {
      uncaught.mockClear();
      backend.respond = () => problem(503, 'portal_unavailable');
      await show({ onLoad: fail, onError: fail });
      backend.respond = undefined;
      await pass(10 * second);
      return { isGood: isGood(), reported: uncaught.mock.calls.map(([error]) => String(error)) };
    });
    expect(findings).toEqual(onlyOurs({ isGood: true, reported: Array(2).fill('Error: A mistake.') }));
    expect(findings.control.reported).toEqual([]);
  });

  it('never navigates a frame to a second address, over twenty renewals', async () => {
    const findings = await compare(async ({ backend, show, pass, frames }) => {
      const sent = new Map<Element, Set<string>>();
      await show();
      for (let renewals = 0; renewals < 20; renewals += 1) {
        for (const frame of frames()) sent.set(frame, (sent.get(frame) ?? new Set()).add(frame.src));
        await pass(49 * minute);
      }
      const addresses = Math.max(...[...sent.values()].map(({ size }) => size));
      return { addresses, isRenewed: backend.requests.length > 20 };
    });
    expect(findings).toEqual(onlyOurs({ addresses: 1, isRenewed: true }));
  });

  it('creates one frame and requests one key in StrictMode, also on a later mount', async () => {
    const findings = await compare(async ({ backend, show, leave, frames, isGood }) => {
      await show();
      const first = [backend.requests.length, frames().length, isGood()];
      await leave();
      await show({ itemId: 7 });
      return { first, second: [backend.requests.length, frames().length, isGood()] };
    });
    expect(findings).toEqual(onlyOurs({ first: [1, 1, true], second: [2, 1, true] }));
  });

  it('adds no unload listeners, which would keep the page out of the back/forward cache', async () => {
    const findings = await compare(async ({ show, pass }) => {
      const spy = vi.spyOn(EventTarget.prototype, 'addEventListener');
      const global = vi.spyOn(globalThis, 'addEventListener');
      await show({ onLoad: () => {}, onError: () => {} });
      await pass(50 * minute);
      const types = [...spy.mock.calls, ...global.mock.calls].map(([type]) => type);
      return { unload: types.filter((type) => /unload/.test(type)).length };
    });
    expect(findings).toEqual(onlyOurs({ unload: 0 }));
  });

  it('checks its key at once when the page returns from the back/forward cache', async () => {
    const findings = await compare(async ({ environment, show, isGood }) => {
      await show();
      environment.sleep(3 * hour);
      await act(async () => environment.emit('pageshow', { persisted: true }));
      await show();
      return { isGood: isGood() };
    });
    expect(findings).toEqual(onlyOurs({ isGood: true }));
  });

  it('cancels the request and its timer on unmount, in every phase', async () => {
    const findings = await compare(async ({ backend, environment, show, leave, pass }) => {
      const left: unknown[] = [];
      const phases = [
        () => new Promise<Response>(() => {}),
        () => new Response(new ReadableStream({ start() {} })),
        () => problem(503, 'portal_unavailable'),
        () => problem(429, 'rate_limited', { retryAfterMs: 90 * second }),
      ];
      for (const phase of phases) {
        backend.respond = phase;
        await show();
        await pass(second);
        await leave();
        const before = backend.requests.length;
        await pass(10 * minute);
        left.push([backend.requests.length - before, environment.timerCount, environment.listenerCount]);
      }
      backend.respond = undefined;
      await show();
      await leave();
      left.push([environment.timerCount, environment.listenerCount]);
      return { left };
    });
    expect(findings).toEqual(onlyOurs({ left: [...Array.from({ length: 4 }, () => [0, 0, 0]), [0, 0]] }));
  });

  it.each([
    ['0', second, 2 * second],
    ['90', 85 * second, 92 * second],
    ['Thu, 01 Jan 2015 00:01:30 GMT', second, 2 * second],
    ['1e9', 5 * minute, 5 * minute],
    ['-5', second, 2 * second],
    ['soon', second, 2 * second],
  ])('handles Retry-After %s within limits', async (value, atLeast, atMost) => {
    const findings = await compare(async ({ backend, environment, show, pass }) => {
      const times: number[] = [];
      backend.respond = () => {
        times.push(environment.trueNow);
        return new Response('', { status: 429, headers: { 'retry-after': value } });
      };
      await show();
      await pass(6 * minute);
      const [first = 0, next = Infinity] = times;
      return { isHeeded: next - first >= atLeast && next - first <= atMost };
    });
    expect(findings).toEqual(onlyOurs({ isHeeded: true }));
  });
});

describe('a host callback that requests keys itself', () => {
  it('may prefetch another report in the headers function', async () => {
    const findings = await compare(async ({ backend, provider, show, pass, isGood }) => {
      const prefetch = createRef<(itemId: number) => Promise<void>>();
      let isFirst = true;
      provider.headers = async () => {
        const hasMore = isFirst;
        // The prefetch calls the headers function too.
        isFirst = false;
        if (hasMore) await prefetch.current?.(7);
        return { authorization: 'Bearer token' };
      };
      await show({ prefetch });
      await pass(minute);
      return { asked: backend.requests.map(({ body }) => body), isGood: isGood() };
    }, LockedReport);
    expect(findings).toEqual(onlyOurs({ asked: [{ itemId: 7 }, { itemId: 1042 }], isGood: true }));
    expect(findings.control.asked).toEqual([]);
  });

  it('gets a timeout when the headers function waits for the key that waits for it, and the page keeps working', async () => {
    const findings = await compare(async ({ provider, queryClient, show, pass, isGood }) => {
      let isMistaken = true;
      provider.headers = async () => {
        if (isMistaken) await queryClient.fetchQuery(embedKeyOptions(1042, provider));
        return {};
      };
      await show();
      await pass(11 * second);
      const code = document.querySelector('[data-code]')?.getAttribute('data-code');
      isMistaken = false;
      await pass(minute);
      return { code, isGood: isGood() };
    }, createQueryReport('per report'));
    expect(findings).toEqual(onlyOurs({ code: 'backend_timeout', isGood: true }));
    expect(findings.control.isGood).toBe(false);
  });
});

describe('a renewal in the host', () => {
  it('does not render its page, and commits the report twice', async () => {
    const findings = await compare(async ({ report, draw, pass, frames }) => {
      const commits = vi.fn<(id: string) => void>();
      const renders = vi.fn<() => void>();
      const Host = () => {
        renders();
        return (
          <Profiler id="report" onRender={commits}>
            {report()}
          </Profiler>
        );
      };
      await draw(<Host />);
      const before = frames()[0]?.src;
      commits.mockClear();
      renders.mockClear();
      await pass(61 * minute);
      return {
        isRenewed: frames()[0]?.src !== before,
        hostRenders: renders.mock.calls.length,
        isQuiet: commits.mock.calls.length <= 2,
      };
    }, AgingReport);
    expect(findings).toEqual(onlyOurs({ isRenewed: true, hostRenders: 0, isQuiet: true }));
    expect(findings.control).toEqual({ isRenewed: true, hostRenders: 0, isQuiet: false });
  });
});

const items = sized(20, 200);
const count = items * 5;

describe('many reports, five of each item, that fail at once', () => {
  it('all recover with the backend, and request one key per item', async () => {
    const findings = await compare(async ({ backend, environment, draw, report, frames, load }) => {
      const reports = Array.from({ length: count }, (_, index) => index);
      const states = (status: string) => document.querySelectorAll(`[data-state="${status}"]`).length;
      backend.respond = () => Promise.reject(new TypeError('Failed to fetch'));
      await draw(reports.map((index) => report({ itemId: 1 + (index % items) }, String(index))));
      const asked = backend.requests.length;
      const failed = states('failed');
      await act(() => environment.advance(5 * minute));
      backend.respond = undefined;
      const before = backend.requests.length;
      await act(() => environment.advance(40 * second));
      await load();
      const askedAgain = backend.requests.length - before;
      return { asked, failed, askedAgain, frames: frames().length, ready: states('ready') };
    });
    expect(findings).toEqual(
      onlyOurs({ asked: items, failed: count, askedAgain: items, frames: count, ready: count }),
    );
    // The control has no states; it fails because its reports do not return.
    expect(findings.control).toMatchObject({ askedAgain: 0, frames: 0 });
  });
});
