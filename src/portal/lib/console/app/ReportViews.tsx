import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { useCallback, useState } from 'react';
import {
  type EmbedFramework,
  type EmbedTarget,
  embedCode,
  embedCommands,
  embedFrameworks,
} from '../shared/embedCode.ts';
import { ask, labelOf, type Row, shown } from './api.ts';
import { Connection } from './Connection.tsx';
import { useChosen, useConsole } from './context.tsx';
import { Fields } from './Form.tsx';
import { type FormField, plainOptions, valuesOf } from './fields.ts';
import { Card, Code, Values } from './parts.tsx';

/** The chosen report, who sees it, and all that was chosen. */
type Viewing = EmbedTarget & { readonly values: Row };

const viewerFields: readonly FormField[] = [
  { name: 'itemId', label: 'Report', kind: 'search', source: 'items' },
  { name: 'userId', kind: 'suggested', source: 'emails' },
  {
    name: 'roleNames',
    kind: 'many',
    source: 'codes',
    hint: 'Those of the key. Another user does not change them.',
  },
];

/** The choice of a report and its viewer, with what is shown for them. */
const ReportView = ({ name: view, title, hint, fields, Content }: (typeof reports)[number]) => {
  const { tenant, subject, address } = useConsole();
  const { tenancyName, items, roleNames } = tenant;
  const [chosen, setChosen] = useChosen<Row>({
    ...valuesOf(fields),
    userId: `viewer@${tenancyName}.example`,
    roleNames: roleNames.includes('all-regions') ? ['all-regions'] : roleNames.slice(0, 1),
  });
  const item = subject === '' ? items[0] : items.find(({ id }) => String(id) === subject);
  if (item === undefined)
    return (
      <Card title={title}>
        <p className="nothing">This tenant has no item {subject}. Import one under Items.</p>
      </Card>
    );
  const values = { ...chosen, itemId: String(item.id) };
  return (
    <div className="stack">
      <Card title={title} hint={hint}>
        <div className="row">
          <Fields
            fields={fields}
            values={values}
            onChange={(name, value) => {
              if (name !== 'itemId') setChosen({ ...chosen, [name]: value });
              else window.location.hash = `#${view}/${tenancyName}/${String(value)}?${address}`;
            }}
          />
        </div>
      </Card>
      <Content
        itemId={item.id}
        title={item.displayName}
        userId={String(chosen['userId'])}
        // The choice of many is a list of texts.
        roleNames={chosen['roleNames'] as readonly string[]}
        values={values}
      />
    </div>
  );
};

/** Lifetime of the key of a preview. */
const lifetimeMs = 3_600_000;

const Preview = ({ itemId, userId, roleNames }: Viewing) => {
  const { tenancyName, tenantUrl } = useConsole().tenant;
  const [issued, setIssued] = useState<Row>();
  const viewer = JSON.stringify({ userId, roleNames, lifetimeMs });
  /** Answers the component's key requests in the place of a host's backend. */
  const issueKey = useCallback<typeof fetch>(
    async (_address, init) => {
      // The component sends this.
      const { itemId: wanted } = JSON.parse(init?.body as string) as { itemId: number };
      const body = { itemId: wanted, ...(JSON.parse(viewer) as object) };
      const { key, url, expiresAt } = await ask('POST', `/tenants/${tenancyName}/keys`, body);
      setIssued({ url, key, expiresAt });
      return Response.json({ itemId: wanted, key, tenantUrl, lifetimeMs, expiresAt });
    },
    [tenancyName, tenantUrl, viewer],
  );
  return (
    <>
      <EmbedProvider key={viewer} viewerKey={viewer} fetch={issueKey}>
        <EmbeddedReport itemId={itemId} title="Report preview" height={800} />
      </EmbedProvider>
      {issued !== undefined && (
        <Card
          title="Key of this preview"
          hint={`Expires at ${shown(issued['expiresAt'])} UTC, by the portal’s clock.`}
        >
          <Values rows={['url', 'key'].map((name) => [labelOf(name), shown(issued[name]), true])} />
        </Card>
      )}
    </>
  );
};

/** The code that embeds a report in a host app, ready to paste. */
const Embed = ({ values, ...target }: Viewing) => {
  // One of its options.
  const framework = values['framework'] as EmbedFramework;
  return (
    <>
      <Code name="Terminal" code={`${embedCommands(framework)}\n`} />
      {embedCode(framework, target).map(({ path, code }) => (
        <Code key={path} name={path} code={code} />
      ))}
      <Connection />
    </>
  );
};

/** A report as a chosen viewer sees it, and the code that embeds it. */
const reports = [
  {
    name: 'preview',
    title: 'Preview',
    hint: 'The report as this viewer sees it, in the component that hosts use. Its key is made without CreateEncryptedKey, so that faults there do not reach it.',
    fields: viewerFields,
    Content: Preview,
  },
  {
    name: 'embed',
    title: 'Embed',
    hint: 'The backend decides who the viewer is; the page only sends the item ID. Replace the viewer with your own sign-in.',
    fields: [
      ...viewerFields,
      { name: 'framework', kind: 'choice' as const, options: plainOptions(embedFrameworks) },
    ],
    Content: Embed,
  },
];

/** The views of a report. */
export const reportViews = reports.map((report) => ({ ...report, content: <ReportView {...report} /> }));
