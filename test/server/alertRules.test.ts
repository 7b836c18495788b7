import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { dashboardSchema, rulesSchema } from './support/deploySchemas.ts';

const rulesFile = resolve('examples/deploy/backend/prometheus-rules.yaml');
const dashboardFile = 'examples/deploy/backend/grafana-dashboard.json';
const alerts = rulesSchema.parse(parse(readFileSync(rulesFile, 'utf8'))).groups.flatMap(({ rules }) => rules);

const promtool = (...args: readonly string[]): string =>
  execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' });

const hasPromtool = ((): boolean => {
  try {
    promtool('--version');
    return true;
  } catch {
    return false;
  }
})();

/** Runs a promtool command on a temporary file; JSON is valid YAML. */
const promtoolOn = (command: 'check' | 'test', content: unknown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-promtool-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file.yaml');
  writeFileSync(file, JSON.stringify(content));
  return promtool(command, 'rules', file);
};

/** Samples of 40 minutes, one per minute, by series. */
type Samples = Readonly<Record<string, string>>;

const keys = (outcome: string) =>
  `vitrine_key_duration_seconds_count{vitrine_outcome="${outcome}", vitrine_tenancy_name="acme"}`;
const keysUpTo = (seconds: string) =>
  `vitrine_key_duration_seconds_bucket{vitrine_outcome="issued", le="${seconds}"}`;
const webhooks = (status: number) =>
  `vitrine_webhook_duration_seconds_count{http_response_status_code="${status}"}`;
const stored = (state: string) => `vitrine_action_stored{vitrine_state="${state}"}`;

/** A deployment in which everything works, with occasional failures. */
const well: Samples = {
  [keys('issued')]: '0+100x40',
  [keys('portal_timeout')]: '0+4x40',
  [keysUpTo('2.5')]: '0+96x40',
  [keysUpTo('5')]: '0+100x40',
  [keysUpTo('+Inf')]: '0+100x40',
  vitrine_upstream_calls_waiting: '0 9 0 0x37',
  [webhooks(202)]: '0+10x40',
  vitrine_action_lag: '0 70 0 1x37',
  [stored('pending')]: '0 5 0x38',
  [stored('dead')]: '0x40',
};

/** The cause of each alert: the samples that differ, the identifying labels, and its text. */
const troubles: Readonly<
  Record<
    string,
    {
      readonly samples: Samples;
      readonly labels?: Readonly<Record<string, string>>;
      readonly summary: string;
    }
  >
> = {
  VitrineKeysFail: {
    samples: { [keys('portal_timeout')]: '0+6x40' },
    labels: { vitrine_tenancy_name: 'acme' },
    summary: 'More than 5% of the key requests of acme fail.',
  },
  VitrineKeysSlow: {
    samples: { [keysUpTo('2.5')]: '0+50x40' },
    summary: 'One key in twenty takes longer than 3 seconds.',
  },
  VitrineCallsWait: {
    samples: { vitrine_upstream_calls_waiting: '3x40' },
    summary: 'Calls to the portal wait for a free connection. Raise upstream.connections.',
  },
  VitrineWebhookRefused: {
    // The first rejection starts the series, and is the only one.
    samples: { [webhooks(503)]: '_x35 1x4' },
    labels: { http_response_status_code: '503' },
    summary: 'Webhooks were rejected with 503. The portal does not send those clicks again.',
  },
  VitrineActionsStuck: {
    samples: { vitrine_action_lag: '61x40' },
    summary: 'A click has waited for more than a minute.',
  },
  VitrineActionsUnhandled: {
    samples: { [stored('dead')]: '1x40' },
    labels: { vitrine_state: 'dead' },
    summary: 'There are actions in state dead.',
  },
};

/** Runs the alerts on samples. Throws unless exactly the given alerts fire. */
const expectAlerts = (samples: Samples, firing: readonly (typeof alerts)[number][]): string =>
  promtoolOn('test', {
    rule_files: [rulesFile],
    tests: [
      {
        interval: '1m',
        input_series: Object.entries({ ...well, ...samples }).map(([series, values]) => ({ series, values })),
        alert_rule_test: alerts.map(({ alert }) => ({
          eval_time: '39m',
          alertname: alert,
          exp_alerts: firing
            .filter((other) => other.alert === alert)
            .map(({ labels }) => ({
              exp_labels: { ...labels, ...troubles[alert]?.labels },
              exp_annotations: { summary: troubles[alert]?.summary },
            })),
        })),
      },
    ],
  });

describe.skipIf(!hasPromtool)('the Prometheus alerts, checked with promtool', () => {
  it('have valid expressions (control: promtool finds a mistake)', () => {
    expect(promtool('check', 'rules', rulesFile)).toContain(`${alerts.length} rules found`);
    const [first] = alerts;
    const broken = { ...first, expr: first?.expr.replaceAll('[5m]', '') };
    expect(() => promtoolOn('check', { groups: [{ name: 'broken', rules: [broken] }] })).toThrow(
      'expected type range vector',
    );
  });

  it('do not fire while everything works', () => {
    expect(expectAlerts({}, [])).toContain('SUCCESS');
  });

  it.each(alerts)('$alert fires for its cause, and no other alert does', (rule) => {
    expect(expectAlerts(troubles[rule.alert]?.samples ?? {}, [rule])).toContain('SUCCESS');
  });
});

describe.skipIf(!hasPromtool)('the Grafana dashboard, checked with promtool', () => {
  it('has valid expressions', () => {
    const { panels } = dashboardSchema.parse(JSON.parse(readFileSync(dashboardFile, 'utf8')));
    const rules = panels
      .flatMap(({ targets }) => targets)
      // As Grafana inserts its own variable.
      .map(({ expr }, index) => ({
        record: `panel:${index}`,
        expr: expr.replaceAll('$__rate_interval', '1m'),
      }));
    expect(promtoolOn('check', { groups: [{ name: 'panels', rules }] })).toContain(
      `${rules.length} rules found`,
    );
  });
});
