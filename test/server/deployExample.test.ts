import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { mountActions } from '../actions/support/mountActions.ts';
import { collectDiagnostics, secret } from '../actions/support/samples.ts';
import { hasNginx, startNginxWith } from '../hosts/startNginx.ts';
import { listenOn } from '../support/listenOn.ts';
import { closeServer } from '../support/standInPortal.ts';
import { dashboardSchema, kubernetesSchema, rulesSchema } from './support/deploySchemas.ts';

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
const histograms = prometheusNames(/createHistogram\('([\w.]+)'/g, '_seconds');
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
    const places = panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`);
    expect(new Set(places).size).toBe(panels.length);
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
