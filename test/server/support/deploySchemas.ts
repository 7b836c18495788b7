import { z } from 'zod';

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
export const kubernetesSchema = z.discriminatedUnion('kind', [
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
export const rulesSchema = z.strictObject({
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
export const dashboardSchema = z.strictObject({
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
