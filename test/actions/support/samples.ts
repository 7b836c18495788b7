import type { ActionRow } from '@vitrine/contract';
import { vi } from 'vitest';

export { temporaryFolder } from '../../support/temporaryFolder.ts';

/** A secret of the required length. */
export const secret = 'webhook-secret-of-at-least-32-bytes-0001';

export const reportId = '5a0f3a54-6b5e-4a53-9a55-0d2f1e6c7b10';
/** The number of the item with that GUID. */
export const reportNumber = 1042;
export const otherReport = '6b1f4b65-7c6f-4b64-8b66-1e3f2f7d8c21';

const metadata = {
  actionTriggeredAt: '2026-11-20T08:00:00.000Z',
  clientUrl: 'https://acme.example',
  currentUser: 7,
  reportId,
  reportName: 'Sales by region',
  tenancyName: 'acme',
  visualName: 'sales-by-region',
};

/** A click on one bar, as in docs/interface.md#6.1. */
export const clickBody = (changes: Partial<typeof metadata> = {}) => ({
  metadata: { ...metadata, ...changes },
  visualData: [
    {
      visual: changes.visualName ?? 'sales-by-region',
      data: [
        {
          identity: [{ equals: 'North', target: { table: 'Sales', column: 'Region' } }],
          values: [
            {
              value: 1250.5,
              formattedValue: '1,250.50',
              target: {
                $schema: 'http://powerbi.com/product/schema#aggregation',
                aggregationFunction: 'Sum',
                table: 'Sales',
                column: 'Amount',
              },
            },
          ],
        },
      ],
    },
  ],
});

/** The selection of {@link clickBody}. */
export const clickRow: ActionRow = {
  identity: [{ table: 'Sales', column: 'Region', value: 'North' }],
  values: [
    { table: 'Sales', column: 'Amount', aggregation: 'Sum', value: 1250.5, formattedValue: '1,250.50' },
  ],
};

/** A body with unique bytes. */
export const numberedBody = (n: number): Buffer =>
  Buffer.from(JSON.stringify(clickBody({ reportName: `Sales ${n}` })));

/** A line of the log of actions. */
type DiagnosticLine = Readonly<
  Partial<Record<'deliveryId' | 'stack', string>> & Record<'kind' | 'message', string>
>;

/** A logger that collects the lines about actions, and waits for one by kind. */
export const collectDiagnostics = () => {
  const diagnostics: DiagnosticLine[] = [];
  const write = (fields: object, message: string): void => {
    const { diagnostic, ...others }: { readonly diagnostic?: unknown } = fields;
    diagnostics.push({ kind: String(diagnostic), message, ...others });
  };
  return {
    diagnostics,
    logger: { debug: write, info: write, warn: write, error: write },
    next: (kind: string): Promise<DiagnosticLine> => {
      const { length } = diagnostics;
      return vi.waitUntil(
        () => diagnostics.find((line, index) => index >= length && line.kind === kind),
        50_000,
      );
    },
  };
};
