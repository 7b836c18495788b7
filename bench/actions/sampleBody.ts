/** The token for every design. */
export const token = 'bench-webhook-secret-of-more-than-32-bytes';

/** The viewer of a bench's actions. */
export const viewerId = 'viewer-1';

/** A webhook body with a number of rows (docs/interface.md#6.1); its name is unique in every request of a load. */
export const sampleBody = (rows: number, reportName = 'Sales [<id>]'): string =>
  JSON.stringify({
    metadata: {
      actionTriggeredAt: '2026-11-20T08:00:00.000Z',
      clientUrl: 'https://acme.example',
      currentUser: 7,
      reportId: '5a0f3a54-6b5e-4a53-9a55-0d2f1e6c7b10',
      reportName,
      tenancyName: 'acme',
      visualName: 'sales-by-region',
    },
    visualData: [
      {
        visual: 'sales-by-region',
        data: Array.from({ length: rows }, (_, n) => ({
          identity: [{ equals: `Region ${n}`, target: { table: 'Sales', column: 'Region' } }],
          values: [
            {
              value: 1250.5 + n,
              formattedValue: '1,250.50',
              target: {
                $schema: 'http://powerbi.com/product/schema#aggregation',
                aggregationFunction: 'Sum',
                table: 'Sales',
                column: 'Amount',
              },
            },
          ],
        })),
      },
    ],
  });
