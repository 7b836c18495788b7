import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { mountActions } from '../actions/support/mountActions.ts';
import { collectDiagnostics, secret } from '../actions/support/samples.ts';
import { hasNginx, startNginxWith } from '../packages/startNginx.ts';
import { listenOn } from '../support/listenOn.ts';
import { closeServer } from '../support/standInPortal.ts';

const text = z.string().min(1);
const labels = z.record(text, text);
const metadata = z.strictObject({ name: z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/) });
const selector = z.strictObject({ matchLabels: labels });
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: text }),
  periodSeconds: z.int().positive(),
});
const amounts = z.strictObject({ cpu: z.string().optional(), memory: z.string().regex(/^\d+[MG]i$/) });

const container = z.strictObject({
  name: text,
  image: text,
  ports: z.array(z.strictObject({ name: text, containerPort: z.int() })),
  envFrom: z.array(z.strictObject({ secretRef: metadata })),
  lifecycle: z.strictObject({
    preStop: z.strictObject({ exec: z.strictObject({ command: z.tuple([z.literal('sleep'), text]) }) }),
  }),
  readinessProbe: probe,
  livenessProbe: probe,
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    runAsNonRoot: z.boolean(),
    runAsUser: z.int(),
    capabilities: z.strictObject({ drop: z.array(text) }),
  }),
});

const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int().positive(),
    strategy: z.strictObject({
      type: z.literal('RollingUpdate'),
      rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }),
    }),
    selector,
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        terminationGracePeriodSeconds: z.int(),
        containers: z.tuple([container]),
      }),
    }),
  }),
});

/** The Kubernetes objects in the example, with the fields that it uses, by the API reference. */
const kubernetesSchema = z.discriminatedUnion('kind', [
  deployment,
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Secret'),
    metadata,
    type: z.literal('Opaque'),
    stringData: labels,
  }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata,
    spec: z.strictObject({
      selector: labels,
      ports: z.array(z.strictObject({ name: text, port: z.int(), targetPort: text })),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.literal('PodDisruptionBudget'),
    metadata,
    spec: z.strictObject({ minAvailable: z.int(), selector }),
  }),
]);

/** A file of alerting rules, by the Prometheus reference. */
const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: text,
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Za-z]\w*$/),
          expr: text,
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: labels.optional(),
          annotations: labels.optional(),
        }),
      ),
    }),
  ),
});

const box = z.strictObject({ h: z.int(), w: z.int().max(24), x: z.int().max(23), y: z.int() });

/** A dashboard as Grafana exports it, with the fields that the example uses. */
const dashboardSchema = z.strictObject({
  title: text,
  uid: z.string().max(40),
  schemaVersion: z.int(),
  tags: z.array(text),
  timezone: text,
  refresh: text,
  time: z.strictObject({ from: text, to: text }),
  templating: z.strictObject({
    list: z.array(
      z.strictObject({
        name: text,
        label: text,
        type: z.literal('datasource'),
        query: z.literal('prometheus'),
      }),
    ),
  }),
  panels: z.array(
    z.strictObject({
      id: z.int(),
      type: z.literal('timeseries'),
      title: text,
      datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) }),
      gridPos: box,
      fieldConfig: z.strictObject({
        defaults: z.strictObject({ unit: z.enum(['short', 's', 'reqps']) }),
        overrides: z.array(z.never()),
      }),
      targets: z.array(
        z.strictObject({ refId: z.string().regex(/^[A-Z]$/), expr: text, legendFormat: text }),
      ),
    }),
  ),
});

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

const read = (name: string): string => readFileSync(`examples/deploy/backend/${name}`, 'utf8');
const readObjects = () =>
  parseAllDocuments(read('kubernetes.yaml')).map((document) => kubernetesSchema.parse(document.toJS()));

/** Names of metrics and attributes in the sources, and their names in Prometheus. */
const sources = ['src/server/lib/telemetry.ts', 'src/server/lib/actions/metrics.ts'].map((file) =>
  readFileSync(file, 'utf8'),
);
const prometheusNames = (pattern: RegExp, suffix = ''): string[] =>
  sources.flatMap((text) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name.replaceAll('.', '_') + suffix),
  );
const histograms = prometheusNames(/duration\('([\w.]+)'/g, '_seconds');
const gauges = prometheusNames(/(?:gauge\(|^ {2})'(vitrine\.[\w.]+)'(?:,|: \[)/gm);
const attributes = prometheusNames(/'((?:vitrine|http)\.[\w.]+)': (?!\[)/g);

/** All our names in an expression, without the suffixes of a histogram. */
const namesIn = (expression: string): string[] =>
  (expression.match(/\b(?:vitrine|http)_\w+/g) ?? []).map((name) => name.replace(/_(bucket|count|sum)$/, ''));

describe('the Kubernetes manifests', () => {
  it('are valid Kubernetes objects (control: a misspelled field is not)', () => {
    const [, deployment] = readObjects();
    expect(deployment?.kind).toBe('Deployment');
    expect(kubernetesSchema.safeParse({ ...deployment, replica: 1 }).success).toBe(false);
  });

  it('have matching selectors, probe existing paths, and allow time for the drain', () => {
    const objects = readObjects();
    const server = read('server.js');
    for (const object of objects) {
      if (object.kind === 'Service') expect(object.spec.selector).toEqual({ app: 'backend' });
      if (object.kind === 'PodDisruptionBudget')
        expect(object.spec.selector.matchLabels).toEqual({ app: 'backend' });
      if (object.kind !== 'Deployment') continue;
      const { containers, terminationGracePeriodSeconds } = object.spec.template.spec;
      const [{ livenessProbe, readinessProbe, lifecycle }] = containers;
      for (const { httpGet } of [livenessProbe, readinessProbe])
        expect(server).toContain(`app.get('${httpGet.path}'`);
      const pause = Number(lifecycle.preStop.exec.command[1]);
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(pause + 10);
      expect(object.spec.template.metadata.labels).toEqual(object.spec.selector.matchLabels);
    }
  });

  it('set every variable that the backend requires', () => {
    const secret = readObjects().find((object) => object.kind === 'Secret');
    const needed = [
      'WEBHOOK_SECRET',
      'DATABASE_URL',
      'REDIS_URL',
      'VITRINE_TENANT_URL',
      'VITRINE_API_BASE_URL',
      'VITRINE_TENANCY_NAME',
    ];
    expect(Object.keys(secret?.stringData ?? {})).toEqual(
      expect.arrayContaining([...needed, 'VITRINE_TENANT_ID', 'VITRINE_API_KEY', 'VITRINE_PASSPHRASE']),
    );
  });
});

describe('the Prometheus alerts and the Grafana dashboard', () => {
  const alerts = rulesSchema.parse(parse(read('prometheus-rules.yaml'))).groups.flatMap(({ rules }) => rules);
  const { panels } = dashboardSchema.parse(JSON.parse(read('grafana-dashboard.json')));
  const onPanels = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)));

  it('are valid files (control: a misspelled field is not)', () => {
    expect(rulesSchema.safeParse({ groups: [{ name: 'vitrine', rule: [] }] }).success).toBe(false);
    expect(dashboardSchema.safeParse({ panels }).success).toBe(false);
  });

  it('use metrics and attributes that the packages record', () => {
    const known = [...histograms, ...gauges, ...attributes];
    const named = [...onPanels, ...alerts.flatMap(({ expr }) => namesIn(expr))];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('show every metric', () => {
    expect(histograms).toHaveLength(3);
    expect(gauges).toHaveLength(5);
    expect([...histograms, ...gauges].filter((name) => !onPanels.includes(name))).toEqual([]);
  });

  it('have no overlapping panels', () => {
    const overlapping = panels.filter(({ gridPos: one }, index) =>
      panels
        .slice(index + 1)
        .some(
          ({ gridPos: other }) =>
            Math.max(one.x, other.x) < Math.min(one.x + one.w, other.x + other.w) &&
            Math.max(one.y, other.y) < Math.min(one.y + one.h, other.y + other.h),
        ),
    );
    expect(overlapping).toEqual([]);
  });
});

describe('the nginx configuration', () => {
  const test = (text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${text} }`);
    return execFileSync('nginx', ['-t', '-p', folder, '-c', file], { encoding: 'utf8', stdio: 'pipe' });
  };

  it.runIf(hasNginx)('passes nginx -t (control: which finds a mistake)', () => {
    expect(test(read('nginx.conf'))).toBe('');
    expect(() => test(read('nginx.conf').replace('proxy_pass', 'proxy_passs'))).toThrow('proxy_passs');
  });

  it.runIf(hasNginx)(
    'forwards every click that the receiver accepts, which rejects a larger one',
    async () => {
      const { diagnostics, logger } = collectDiagnostics();
      const actions = createActions({
        secrets: secret,
        inbox: sqliteInbox(':memory:'),
        audience: 'nobody',
        dispatch: false,
        logger,
      });
      const server = createServer(mountActions(actions));
      onTestFinished(() => actions.close(0));
      onTestFinished(() => closeServer(server));
      const port = new URL(await listenOn(server)).port;
      const configOf = (text: string) => (own: number) =>
        text.replace(':3001', `:${port}`).replace('server 127.0.0.1:3002;', '').replace(':8080', `:${own}`);
      const nginx = await startNginxWith(configOf(read('nginx.conf')));
      onTestFinished(() => nginx.stop());
      const post = async (bytes: number): Promise<number> => {
        const response = await fetch(`${nginx.url}/api/embed/webhook`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}` },
          body: `"${'x'.repeat(bytes - 2)}"`,
        });
        return response.status;
      };
      const maxBodyBytes = 5 * 1024 * 1024;
      expect([await post(1.3 * 1024 * 1024), await post(maxBodyBytes)]).toEqual([202, 202]);
      // nginx may notice that the connection is closed before it reads the response.
      expect([413, 502]).toContain(await post(maxBodyBytes + 1));
      expect(diagnostics).toMatchObject([
        { kind: 'rejected', message: expect.stringContaining('its body is over') },
      ]);
    },
  );
});
