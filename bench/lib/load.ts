import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countMark } from './countMark.ts';
import { versionOf } from './machine.ts';
import { cores, pinned } from './pinned.ts';

/** One request of a load; requests are sent in turn. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadOptions {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly seconds: number;
}

/**
 * The results of the load generator. Latencies in milliseconds, closed loop: each connection waits for its response.
 */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses that were not 2xx, and broken connections. */
  readonly failures: number;
}

const wrkVersion = versionOf('wrk', '-v');

/** The load generator in use, for the head of the results. */
export const loadGenerator = wrkVersion?.replace(/ \[.*/, '') ?? 'autocannon (install wrk for higher rates)';

const run = (command: readonly string[], input = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const [program, args] = pinned(cores.load, command);
    const child = spawn(program, args);
    child.stdin.end(input);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} failed:\n${output}`)),
    );
  });

const luaText = (text: string): string => JSON.stringify(text).replaceAll('\\/', '/');

/** A wrk script that builds every request once and then sends them in turn. */
const luaScript = (requests: readonly LoadRequest[]): string => {
  const formatted = requests.map(({ method, path, headers, body }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `[${luaText(name)}]=${luaText(value)}`);
    const content = body === undefined ? 'nil' : luaText(body);
    return `  add(${luaText(method)}, ${luaText(path)}, {${pairs.join(',')}}, ${content})`;
  });
  return `
local list, at, count = {}, 0, 0
local function add(method, path, headers, body)
  if body and body:find("${countMark}") then
    list[#list + 1] = function()
      count = count + 1
      return wrk.format(method, path, headers, (body:gsub("${countMark}", "${Date.now()}" .. count)))
    end
  else
    local ready = wrk.format(method, path, headers, body)
    list[#list + 1] = function() return ready end
  end
end
function init()
${formatted.join('\n')}
end
function request()
  at = at % #list + 1
  return list[at]()
end
function done(summary, latency)
  local failures = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("FIGURES %d %d %f %f %d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failures))
end
`;
};

const withWrk = async (options: LoadOptions): Promise<LoadResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  try {
    const script = join(folder, 'load.lua');
    writeFileSync(script, luaScript(options.requests));
    const { connections, seconds, url } = options;
    const output = await run([
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '20s',
      '-s',
      script,
      url,
    ]);
    const figures = /FIGURES (\d+) (\d+) ([\d.]+) ([\d.]+) (\d+)/.exec(output);
    if (figures === null) throw new Error(`wrk said something unexpected:\n${output}`);
    const [requests = 0, micros = 1, p50 = 0, p99 = 0, failures = 0] = figures.slice(1).map(Number);
    return { requests, perSecond: requests / (micros / 1e6), p50: p50 / 1000, p99: p99 / 1000, failures };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const withAutocannon = async (options: LoadOptions): Promise<LoadResult> =>
  JSON.parse(
    // A thousand requests are too long for a command-line argument.
    await run(
      // On a busy machine, autocannon's timers are late, and Node's warnings would mix with the figures.
      [process.execPath, '--no-warnings', join(import.meta.dirname, 'autocannonLoad.ts')],
      JSON.stringify(options),
    ),
  ) as LoadResult; // printed by our own script

/**
 * Sends a load from the load generator's core for a number of seconds, with wrk, or with autocannon if wrk is missing.
 */
export const runLoad = (options: LoadOptions): Promise<LoadResult> =>
  wrkVersion === undefined ? withAutocannon(options) : withWrk(options);
