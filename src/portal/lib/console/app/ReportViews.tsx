import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { type ReactNode, useCallback, useState } from 'react';
import {
  type EmbedFramework,
  type EmbedTarget,
  embedCode,
  embedCommands,
  embedFrameworks,
} from '../shared/embedCode.ts';
import { envText } from '../shared/tenantEnvironment.ts';
import { ask, type Row, shownTime } from './api.ts';
import { useConsole, usePlace } from './context.tsx';
import { Fields } from './Form.tsx';
import { type FormField, plainOptions, valuesOf } from './fields.ts';
import { Card, Code, Values } from './parts.tsx';

/** The chosen report, who sees it, and all that was chosen. */
type Viewing = EmbedTarget & { readonly values: Row };

const viewerFields: readonly FormField[] = [
  { name: 'itemId', label: 'Report', kind: 'search', source: 'items' },
  { name: 'userId', label: 'User', kind: 'suggested', source: 'emails' },
  {
    name: 'roleNames',
    label: 'RLS roles',
    kind: 'many',
    source: 'codes',
    hint: 'Those of the key. Another user does not change them.',
  },
];

/** The choice of a report and its viewer, with what is shown for them. */
const ReportView = (props: {
  readonly title: string;
  readonly hint: string;
  readonly fields?: readonly FormField[];
  readonly children: (viewing: Viewing) => ReactNode;
}) => {
  const { tenancyName, items, roleNames } = useConsole().tenant;
  const { subject } = usePlace();
  const fields = [...viewerFields, ...(props.fields ?? [])];
  const [values, setValues] = useState<Row>(() => ({
    ...valuesOf(fields),
    itemId: subject ?? '',
    userId: `viewer@${tenancyName}.example`,
    roleNames: roleNames.includes('all-regions') ? ['all-regions'] : roleNames.slice(0, 1),
  }));
  // A key is requested when the name is complete.
  const [userId, setUserId] = useState(values['userId']);
  const item = items.find(({ id }) => String(id) === values['itemId']) ?? items[0];
  return (
    <div className="stack">
      <Card title={props.title} hint={props.hint}>
        {item === undefined ? (
          <p className="nothing">This tenant has no items. Import one under Items.</p>
        ) : (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it hears its fields
          <div
            className="row"
            onBlur={() => setUserId(values['userId'])}
            onKeyDown={({ key }) => key === 'Enter' && setUserId(values['userId'])}
          >
            <Fields
              fields={fields}
              values={{ ...values, itemId: String(item.id) }}
              onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
            />
          </div>
        )}
      </Card>
      {item !== undefined &&
        props.children({
          itemId: item.id,
          title: item.displayName,
          userId: String(userId),
          // The choice of many is a list of texts.
          roleNames: values['roleNames'] as readonly string[],
          values,
        })}
    </div>
  );
};

/** Lifetime of the key of a preview. */
const lifetimeMs = 3_600_000;

interface IssuedKey {
  readonly key: string;
  readonly url: string;
  readonly expiresAt: string;
}

const Preview = ({ itemId, userId, roleNames }: Viewing) => {
  const { tenancyName, tenantUrl } = useConsole().tenant;
  const [issued, setIssued] = useState<IssuedKey>();
  const viewer = JSON.stringify([tenancyName, userId, roleNames]);
  /** Answers the component's key requests in the place of a host's backend. */
  const issueKey = useCallback<typeof fetch>(
    async (_address, init) => {
      // The component sends this.
      const { itemId: wanted } = JSON.parse(init?.body as string) as { itemId: number };
      const [, user, roles] = JSON.parse(viewer) as readonly unknown[];
      const body = { itemId: wanted, userId: user, roleNames: roles, lifetimeMs };
      // The control interface answers with this type.
      const key = (await ask('POST', `/tenants/${tenancyName}/keys`, body)) as unknown as IssuedKey;
      setIssued(key);
      const { expiresAt } = key;
      return Response.json({ itemId: wanted, key: key.key, tenantUrl, lifetimeMs, expiresAt });
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
          hint={`Expires at ${shownTime(issued.expiresAt)} UTC, by the portal’s clock.`}
        >
          <Values
            rows={[
              ['Address', issued.url, true],
              ['Key', issued.key, true],
            ]}
          />
        </Card>
      )}
    </>
  );
};

/** A report as a chosen viewer sees it, in the component that hosts use. */
export const PreviewView = () => (
  <ReportView title="Preview" hint="The report as this viewer sees it, in the component that hosts use.">
    {(viewing) => <Preview {...viewing} />}
  </ReportView>
);

const frameworkField: FormField = {
  name: 'framework',
  label: 'Framework',
  kind: 'choice',
  options: plainOptions(embedFrameworks),
};

/** The code that embeds a report in a host app, ready to paste. */
export const EmbedView = () => {
  const { tenant } = useConsole();
  return (
    <ReportView
      title="Embed"
      hint="The backend decides who the viewer is; the page only sends the item ID. Replace the viewer with your own sign-in."
      fields={[frameworkField]}
    >
      {({ values, ...target }) => {
        // One of its options.
        const framework = values['framework'] as EmbedFramework;
        return (
          <>
            <Code name="Terminal" code={`${embedCommands(framework)}\n`} />
            {embedCode(framework, target).map(({ path, code }) => (
              <Code key={path} name={path} code={code} />
            ))}
            <Code name=".env.local" code={envText(tenant)} />
          </>
        );
      }}
    </ReportView>
  );
};
