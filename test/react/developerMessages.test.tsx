import '../../src/react/lib/development/install.ts';
import { act, cleanup, render } from '@testing-library/react';
import { EmbeddedReport, EmbedError, EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeError } from '../../src/react/lib/development/describeError.ts';
import { inspect } from '../../src/react/lib/inspection/inspector.ts';

const messages: string[] = [];
beforeEach(() => {
  messages.length = 0;
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((text: string) => void messages.push(text));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
});

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 0)));

it('tells once per cause what happened and what to do', async () => {
  const fake = createFakeEmbed();
  fake.answer('portal_refused');
  render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1042} />
      <EmbeddedReport itemId={1043} />
    </EmbedProvider>,
  );
  await settle();
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/Report 1042: The portal refused to give a key\.\nCode: portal_refused/);
  expect(messages[0]).toMatch(
    /\nLikely cause: .+\nWhat to do: .+\nhttps:.+\/docs\/errors\.md#portal_refused$/,
  );
  fake.close();
});

it('says nothing while all is well (control)', async () => {
  const fake = createFakeEmbed();
  render(
    <EmbedProvider {...fake.provider}>
      <EmbeddedReport itemId={1042} />
    </EmbedProvider>,
  );
  await settle();
  expect(messages).toEqual([]);
  fake.close();
});

it('names the request, the tenant origin and the type of a wrong item ID', () => {
  const blocked = new EmbedError('frame_blocked', { origin: 'https://acme.example', requestId: 'r-1' });
  expect(describeError(1, blocked)).toMatch(/Request ID.+: r-1\nTenant origin: https:\/\/acme\.example/);
  expect(describeError('1042', new EmbedError('invalid_item_id'))).toContain('The type of itemId is string.');
  expect(describeError(1, new EmbedError('http_404'))).toContain('errors.md#http_status');
});

it('tells of an action stream that is refused or buffered', () => {
  inspect({ type: 'stream', endpoint: '/api/embed', status: 'open' });
  expect(messages).toEqual([]);
  inspect({ type: 'stream', endpoint: '/api/embed', status: 'refused' });
  inspect({ type: 'stream', endpoint: '/api/embed', status: 'polling' });
  expect(messages.map((text) => text.split('\n')[0])).toEqual([
    '[vitrine] The backend refused the action stream.',
    '[vitrine] Something buffers the action stream, so clicks arrive a few seconds late.',
  ]);
});

it('tells of a key in the storage of the page, without the key', () => {
  vi.useFakeTimers();
  const cache = {
    queries: [{ queryKey: ['vitrine'], meta: { isEmbedKey: true }, state: { data: 'secret' } }],
  };
  localStorage.setItem('cache', JSON.stringify(cache));
  inspect({ type: 'state', itemId: 1042, state: { status: 'ready' } });
  vi.runAllTimers();
  expect(messages).toEqual([expect.stringContaining('holds an embed key')]);
  expect(messages[0]).not.toContain('secret');
});

it('tells of a missing style sheet', () => {
  vi.useFakeTimers();
  render(
    <div className="vitrine-report">
      <p className="vitrine-message" />
    </div>,
  );
  inspect({ type: 'state', itemId: 1, state: { status: 'failed', error: new EmbedError('offline') } });
  vi.runAllTimers();
  expect(messages).toContainEqual(expect.stringContaining('@vitrine/react/styles.css'));
});
