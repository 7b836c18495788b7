import { describe, expect, it } from 'vitest';
import { type NeighbourFindings, runNeighboursGate } from './gates/neighbours.ts';

const size = { pairs: 5, requestsEachWindow: 600, everyMs: 5 };

/** The middle of the ratios pair by pair, so that a busy machine weighs on both sides. */
const middleRatio = ({ p99DownMs, p99WellMs }: NeighbourFindings): number =>
  p99DownMs.map((down, pair) => down / (p99WellMs[pair] ?? Number.NaN)).toSorted((a, b) => a - b)[
    Math.floor(p99DownMs.length / 2)
  ] ?? Number.NaN;

describe('a tenant whose portal hangs', () => {
  it("raises the p99 of another tenant's viewers by at most a tenth", async (context) => {
    // With a host for each tenant, they share the machine alone: what that costs is no matter of ours.
    const apart = await runNeighboursGate('apart', size);
    const findings = await runNeighboursGate('twoTenants', size);
    const ratios = [findings, apart].map((each) => middleRatio(each).toFixed(2)).join(' in one host, apart ');
    process.stdout.write(`neighbours: ${ratios} ${JSON.stringify(findings)}\n`);
    // On a machine with other work the p99 moves while both portals are well, and what comes of them says nothing.
    const spread = Math.max(...findings.p99WellMs) / Math.min(...findings.p99WellMs);
    if (spread > 1.5)
      context.skip(`the p99 moves ${spread.toFixed(1)}-fold here while both portals are well`);
    expect(findings.failures).toEqual([]);
    expect(middleRatio(findings) / middleRatio(apart)).toBeLessThanOrEqual(1.1);
  });

  it('control: the same check detects a host whose tenants share their connections', async () => {
    const findings = await runNeighboursGate('sharedPool', { ...size, pairs: 1 });
    // Sixteen calls of 300 ms are 53 a second, and 200 come: what waits is more than a second's work.
    expect(middleRatio(findings)).toBeGreaterThan(3);
  });
});
