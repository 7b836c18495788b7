import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConformanceRun } from '../../src/conformance/lib/report.ts';
import { runCommand, temporaryFolder } from '../commands/support/runCommand.ts';
import { serve } from '../sync/support/serve.ts';
import { isTo, made } from './controls/breakages.ts';
import { type Breakage, startBrokenService } from './controls/startBrokenService.ts';
import { environmentOf, sharedPortal } from './support/sharedPortal.ts';

const started = sharedPortal();

const resultsIn = (cwd: string) =>
  JSON.parse(readFileSync(join(cwd, 'conformance-results', 'conformance.json'), 'utf8')) as ConformanceRun;

const reasonsIn = ({ results }: Pick<ConformanceRun, 'results'>) =>
  results.map(({ finding }) => ('reason' in finding ? finding.reason : finding.outcome));

const behind = async (breakage: Breakage) => {
  const { target, close } = await startBrokenService(started().target, breakage);
  onTestFinished(close);
  return environmentOf(target);
};

const script = fileURLToPath(new URL('../../src/cli/lib/bin.ts', import.meta.url));

describe('a run', () => {
  it('shows its progress on a terminal, and nothing without one', async () => {
    const env = await behind({});
    const shown = await runCommand('conformance', { env, cwd: temporaryFolder(), isTerminal: true });
    expect(shown.stderr).toMatch(/Checking \d+% \d+\/\d+/);
    const silent = await runCommand('conformance', { env, cwd: temporaryFolder() });
    expect(silent.stderr).toBe('Wrote conformance-results/conformance.md and conformance.json.\n');
  });

  it('writes its results, which say that it was stopped, even if it is stopped before its first question', async () => {
    const cwd = temporaryFolder();
    const env = await behind({});
    const { exitCode, stderr } = await runCommand('conformance', { env, cwd, signal: AbortSignal.abort() });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('Not every check ran: the run was stopped.'),
    ]);
    expect(new Set(reasonsIn(resultsIn(cwd)))).toContain('the run was stopped');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends soon after the first %s, with the results so far',
    async (signal) => {
      // Answers the first question, so that the run starts, and then hangs.
      let reached: () => void = () => undefined;
      const isReached = new Promise<void>((resolve) => (reached = resolve));
      const { baseUrl } = await serve(({ path }) => {
        if (path === '/') return { status: 404 };
        reached();
        return undefined;
      });
      const cwd = temporaryFolder();
      const env = { ...environmentOf(started().target), VITRINE_BASE_URL: baseUrl };
      const child = spawn(process.execPath, ['--conditions=@vitrine/source', script, 'conformance'], {
        cwd,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const exited = once(child, 'close');
      await isReached;
      child.kill(signal);
      expect(await exited).toEqual([1, null]);
      expect(said).toContain('Not every check ran: the run was stopped.');
      const reasons = reasonsIn(resultsIn(cwd));
      expect(reasons.at(-1)).toBe('the run was stopped');
      expect(reasons).not.toContain('differs');
    },
  );

  it('removes its users when it is stopped', async () => {
    const users = async () =>
      (await fetch(`${started().portal.url}/_control/tenants/acme/lists/users?pageSize=200`)).json();
    const before = await users();
    const stop = new AbortController();
    let during: unknown;
    let refusals = 0;
    const env = await behind({
      answer: async (answer, request) => {
        if (!isTo(request, 'POST /v1/users') || answer.status >= 300 || stop.signal.aborted) return answer;
        during = await users();
        stop.abort();
        return answer;
      },
      // The check itself cannot remove its user.
      request: (request) =>
        isTo(request, 'DELETE /v1/users/*') && stop.signal.aborted && refusals++ === 0 ? made(503) : request,
    });
    const cwd = temporaryFolder();
    const { exitCode } = await runCommand('conformance --allow-writes', {
      env,
      cwd,
      signal: stop.signal,
    });
    expect(exitCode).toBe(1);
    expect(refusals).toBeGreaterThan(0);
    expect(during).not.toEqual(before);
    expect(await users()).toEqual(before);
    const reasons = reasonsIn(resultsIn(cwd));
    expect(reasons.slice(0, 3)).not.toContain('the run was stopped');
    expect(reasons.at(-1)).toBe('the run was stopped');
  });

  it('ends with one message when nothing listens', async () => {
    const env = environmentOf(started().target);
    const cwd = temporaryFolder();
    const { exitCode, stdout, stderr } = await runCommand('conformance', {
      env: { ...env, VITRINE_BASE_URL: 'http://127.0.0.1:1' },
      cwd,
    });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^No portal responds at http:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)\. Check VITRINE_BASE_URL and that the portal runs\.\n$/,
    );
    expect(existsSync(join(cwd, 'conformance-results'))).toBe(false);
  });

  it('ends when its address no longer answers, and counts that as no difference', async () => {
    let answered = 0;
    const { baseUrl } = await serve((_request, response) => {
      answered += 1;
      if (answered < 5) return { status: 200, body: [] };
      response.destroy();
      return undefined;
    });
    const cwd = temporaryFolder();
    const { exitCode, stderr, stdout } = await runCommand('conformance', {
      env: { ...environmentOf(started().target), VITRINE_BASE_URL: baseUrl },
      cwd,
    });
    const reason = `no portal responds any longer at ${baseUrl} (socket hang up). Check VITRINE_BASE_URL and that the portal runs`;
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Not every check ran: ${reason}.`);
    expect(stdout).not.toContain('- Seen: socket hang up');
    const { results } = resultsIn(cwd);
    const differs = results.filter(({ finding }) => finding.outcome === 'differs');
    expect(differs).toEqual([]);
    expect(answered).toBe(6);
    expect(reasonsIn({ results }).filter((each) => each === reason).length).toBeGreaterThan(40);
  });

  it('reports a check without an answer as a difference if a later one is answered', async () => {
    const env = await behind({
      request: (request) => {
        if (isTo(request, 'GET /v1/tasks')) throw new Error('no answer');
        return request;
      },
    });
    const cwd = temporaryFolder();
    const { exitCode, stdout } = await runCommand('conformance', { env, cwd });
    expect(exitCode).toBe(2);
    expect(stdout).toContain('- Expected: an answer\n- Seen: socket hang up\n');
  });
});
